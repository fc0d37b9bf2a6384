import { type ContextOf, invalidRecord, type ParsedOf, setIssueIteration } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import { Iterations } from '../iteration/iteration.repository';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import { IssueKind } from './issue-kind';
import { IssueViews } from './issue-views';

/** Sets or clears the iteration of an issue. See docs/api/iterations.md#4. */
@Controller()
export class SetIteration {
  constructor(
    private readonly issues: Issues,
    private readonly kind: IssueKind,
    private readonly iterations: Iterations,
    private readonly changes: ChangeIssuable,
    private readonly views: IssueViews,
  ) {}

  @Handles(setIssueIteration)
  async handle({ project, caller }: ContextOf<typeof setIssueIteration>, input: ParsedOf<typeof setIssueIteration>) {
    requireWritable(project);
    const issue = await this.issues.get(project, input.issue_iid, caller);
    const { iteration_id: iterationId } = input;
    if (iterationId !== null && !(await this.iterations.exists(iterationId, project.groupIds)))
      throw invalidRecord({ iteration_id: ['is invalid'] });
    const changed = await this.changes.change(this.kind, issue, () => ({ iterationId }), { userId: caller.id });
    return this.views.viewOne(changed, project, caller);
  }
}
