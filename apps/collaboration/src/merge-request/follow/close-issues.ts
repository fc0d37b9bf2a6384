import { type EventData, type EventRecord, mergeRequestChanged } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import type { IssueDocument } from '../../issue/issue.schema';
import { IssueKind } from '../../issue/issue-kind';
import { ActingUser } from '../../user/acting-user';
import { MergeSettingsReader } from '../mergeability/merge-settings';
import { MergeRequests } from '../record/merge-request.repository';
import { ClosedIssues } from '../view/closed-issues';

/** After a merge, closes the issues that the merge request names. */
@Injectable()
export class CloseIssues {
  constructor(
    private readonly closed: ClosedIssues,
    private readonly issueKind: IssueKind,
    private readonly mergeRequests: MergeRequests,
    private readonly changes: ChangeIssuable,
    private readonly acting: ActingUser,
    private readonly settings: MergeSettingsReader,
  ) {}

  /** Only merges into the default branch close issues. */
  @OnEvent(mergeRequestChanged, 'CloseIssues-onMerged')
  async onMerged({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    if (data.action !== 'merge') return;
    const merged = await this.mergeRequests.find(data.merge_request.id);
    const actor = merged && (await this.acting.find(merged.projectId, data.user_id));
    if (!actor || actor.project.defaultBranch !== merged.targetBranch) return;
    const { autoclose_referenced_issues } = await this.settings.read(actor.project, actor.caller);
    if (!autoclose_referenced_issues) return;
    for (const issue of await this.closed.list(merged, actor.project)) {
      await this.close(issue, merged.mergedAt, data.user_id);
    }
  }

  /** Events may arrive twice: an issue that was reopened after the merge stays open. */
  private async close(issue: IssueDocument, mergedAt: Date | null, userId: number): Promise<void> {
    const isSettled = ({ stateChanges }: IssueDocument): boolean =>
      mergedAt !== null && stateChanges.some(({ at }) => at >= mergedAt);
    const patchOf = (current: IssueDocument): IssuablePatch => (isSettled(current) ? {} : { state: 'closed' });
    await this.changes.change(this.issueKind, issue, patchOf, { userId });
  }
}
