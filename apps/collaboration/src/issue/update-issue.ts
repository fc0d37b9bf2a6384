import {
  Access,
  type Caller,
  type ContextOf,
  forbidden,
  type ParsedOf,
  type ProjectRef,
  updateIssue,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import type { IssueDocument } from './issue.schema';
import { IssueAttributes } from './issue-attributes';
import { IssueKind } from './issue-kind';
import { IssueViews } from './issue-views';

/**
 * Updates an issue: authors and reporters may change it, planning fields are for reporters. See docs/api/issues.md#1.
 */
@Controller()
export class UpdateIssue {
  constructor(
    private readonly issues: Issues,
    private readonly kind: IssueKind,
    private readonly attributes: IssueAttributes,
    private readonly changes: ChangeIssuable,
    private readonly views: IssueViews,
  ) {}

  @Handles(updateIssue)
  async handle({ project, caller }: ContextOf<typeof updateIssue>, input: ParsedOf<typeof updateIssue>) {
    requireWritable(project);
    const issue = await this.issues.get(project, input.issue_iid, caller);
    requireEditor(issue, project, caller);
    const planned = project.accessLevel >= Access.Reporter ? await this.attributes.plan(project, input) : {};
    const patch: IssuablePatch = {
      ...planned,
      ...this.attributes.readOwn(input),
      state: stateAfter(input.state_event),
    };
    const at = project.accessLevel >= Access.Owner && input.updated_at ? new Date(input.updated_at) : undefined;
    const changed = await this.changes.change(this.kind, issue, () => patch, { userId: caller.id, at });
    return this.views.viewOne(changed, project, caller);
  }
}

/** @throws common.forbidden unless author or reporter */
export function requireEditor(issue: IssueDocument, project: ProjectRef, caller: Caller): void {
  if (issue.authorId !== caller.id && project.accessLevel < Access.Reporter) throw forbidden();
}

const states = { close: 'closed', reopen: 'opened' } as const;
const stateAfter = (event: keyof typeof states | undefined): string | undefined => event && states[event];
