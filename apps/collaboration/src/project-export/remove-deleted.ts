import { OperationClient, removeIfDeleted } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { CommitsFollowDeletions } from '../commit/follow-deletions';
import { ForgetApprovers } from '../merge-request/follow/forget-approvers';
import { RemoveMergeRequests } from '../merge-request/write/remove-merge-requests';
import { FollowParentDeletions } from '../removal/follow-parent-deletions';
import { SnippetsFollowDeletions } from '../snippet/follow-deletions';

/** The project may have been deleted while a page was written: its records are removed again. */
@Injectable()
export class RemoveDeleted {
  constructor(
    private readonly client: OperationClient,
    private readonly parents: FollowParentDeletions,
    private readonly mergeRequests: RemoveMergeRequests,
    private readonly snippets: SnippetsFollowDeletions,
    private readonly commits: CommitsFollowDeletions,
    private readonly approvals: ForgetApprovers,
  ) {}

  /** @throws the errors of removeIfDeleted */
  ifDeleted(projectId: number): Promise<void> {
    return removeIfDeleted(this.client, projectId, () => this.remove(projectId));
  }

  private async remove(projectId: number): Promise<void> {
    await this.parents.removeProject(projectId);
    await this.mergeRequests.removeAllOf(projectId);
    for (const part of [this.snippets, this.commits, this.approvals]) await part.removeProject(projectId);
  }
}
