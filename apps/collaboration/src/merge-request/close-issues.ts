import { type EventData, type EventRecord, mergeRequestChanged, type ProjectRef } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssueDocument } from '../issue/issue.schema';
import { IssueKind } from '../issue/issue-kind';
import { ActingUser } from './acting-user';
import { closedBy } from './closing-references';
import { MergeRequests } from './merge-request.repository';
import type { MergeRequestDocument } from './merge-request.schema';
import { MergeRequestGit } from './merge-request-git';
import { MergeSettingsOf } from './merge-settings';

/** Commits whose messages are read for issues that they close. */
const readCommits = 100;

/** Issues that a merge request says it closes. */
@Injectable()
export class CloseIssues {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly issueKind: IssueKind,
    private readonly mergeRequests: MergeRequests,
    private readonly changes: ChangeIssuable,
    private readonly git: MergeRequestGit,
    private readonly acting: ActingUser,
    private readonly settings: MergeSettingsOf,
  ) {}

  /** Of the target project, named in the description or in a commit. */
  async of(mergeRequest: MergeRequestDocument, target: ProjectRef): Promise<IssueDocument[]> {
    if (target.features.issues === 'disabled') return [];
    const { items } = await this.git.commits(mergeRequest, target, { per_page: readCommits });
    const iids = closedBy(mergeRequest.description, ...items.map(({ message }) => message));
    if (iids.length === 0) return [];
    return this.issues
      .find({ projectId: target.id, iid: { $in: iids } })
      .sort({ iid: 1 })
      .lean<IssueDocument[]>();
  }

  /** Only what reaches the default branch closes. */
  @OnEvent(mergeRequestChanged, 'CloseIssues-onMerged')
  async onMerged({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    if (data.action !== 'merge') return;
    const merged = await this.mergeRequests.find(data.merge_request.id);
    const actor = merged && (await this.acting.in(merged.projectId, data.user_id));
    if (!actor || actor.project.defaultBranch !== merged.targetBranch) return;
    const { autoclose_referenced_issues } = await this.settings.project(actor.project, actor.caller);
    if (!autoclose_referenced_issues) return;
    for (const issue of await this.of(merged, actor.project)) {
      if (issue.state === 'opened') await this.close(issue, data.user_id);
    }
  }

  private async close(issue: IssueDocument, userId: number): Promise<void> {
    await this.changes.change(this.issueKind, issue, () => ({ state: 'closed' }), { userId });
  }
}
