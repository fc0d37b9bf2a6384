import { type EventData, type EventRecord, groupDeleted, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ApprovalSettingsOfProjects } from '../record/approval-settings.repository';
import { MergeRequests } from '../record/merge-request.repository';

/**
 * Removes deleted users and groups from approval rules of projects; rules of merge requests lose users with the merge
 * request's other fields.
 */
@Injectable()
export class ForgetApprovers {
  constructor(
    private readonly settings: ApprovalSettingsOfProjects,
    private readonly mergeRequests: MergeRequests,
  ) {}

  @OnEvent(userDeleted, 'ForgetApprovers-ofUser')
  async ofUser({ data: { user_id: userId } }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    const named = { 'rules.userIds': userId };
    await this.settings.model.updateMany(named, { $pull: { 'rules.$[].userIds': userId } });
  }

  @OnEvent(groupDeleted, 'ForgetApprovers-ofGroup')
  async ofGroup({ data: { group_id: groupId } }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.settings.model.updateMany({ 'rules.groupIds': groupId }, { $pull: { 'rules.$[].groupIds': groupId } });
    await this.mergeRequests.model.updateMany(
      { 'approvalRules.groupIds': groupId },
      { $pull: { 'approvalRules.$[].groupIds': groupId }, $inc: { revision: 1 } },
    );
  }

  @OnEvent(projectDeleted, 'ForgetApprovers-ofProject')
  async ofProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.removeProject(data.project_id);
  }

  /** Also after a late write that the deletion missed. */
  async removeProject(_id: number): Promise<void> {
    await this.settings.model.deleteOne({ _id });
  }
}
