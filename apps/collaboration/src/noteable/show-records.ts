import { type ContextOf, type OutputOf, type ParsedOf, showRecords } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { IssueViews } from '../issue/issue-views';
import { MergeRequestViews } from '../merge-request/view/merge-request-views';
import { Notes } from '../note/note.repository';
import { VisibleNotes } from './visible-notes';

/** Shows issues, merge requests and notes to other services. */
@Controller()
export class ShowRecords {
  constructor(
    private readonly visible: VisibleNotes,
    private readonly notes: Notes,
    private readonly issueViews: IssueViews,
    private readonly mergeRequestViews: MergeRequestViews,
  ) {}

  @Handles(showRecords)
  async handle(
    { caller }: ContextOf<typeof showRecords>,
    { issue_ids, merge_request_ids, note_ids }: ParsedOf<typeof showRecords>,
  ): Promise<OutputOf<typeof showRecords>> {
    const [issues, mergeRequests, found] = await Promise.all([
      this.visible.findIssues(issue_ids, caller),
      this.visible.findMergeRequests(merge_request_ids, caller),
      this.notes.findByIds(note_ids),
    ]);
    return {
      issues: await this.issueViews.view(issues),
      merge_requests: await this.mergeRequestViews.view(mergeRequests, undefined, { caller }),
      notes: await this.visible.show(found, caller),
    };
  }
}
