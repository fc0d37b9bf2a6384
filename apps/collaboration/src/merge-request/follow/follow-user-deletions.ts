import { type EventData, type EventRecord, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { MergeRequests } from '../record/merge-request.repository';

const changed = { $inc: { revision: 1 } };

/** Removes a deleted user from merge requests of others. Idempotent. */
@Injectable()
export class MergeRequestsFollowUserDeletions {
  constructor(private readonly mergeRequests: MergeRequests) {}

  @OnEvent(userDeleted, 'MergeRequestsFollowUserDeletions-handle')
  async handle({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    const { user_id: userId, ghost_user_id: ghostId } = data;
    const { model } = this.mergeRequests;
    await model.updateMany({ reviewerIds: userId }, { $pull: { reviewerIds: userId }, ...changed });
    await model.updateMany({ 'approvals.userId': userId }, { $pull: { approvals: { userId } }, ...changed });
    const named = { 'approvalRules.userIds': userId };
    await model.updateMany(named, { $pull: { 'approvalRules.$[].userIds': userId }, ...changed });
    await model.updateMany({ mergedById: userId }, { $set: { mergedById: ghostId }, ...changed });
    // A deleted user cannot merge.
    await model.updateMany({ 'autoMerge.userId': userId }, { $set: { autoMerge: null }, ...changed });
  }
}
