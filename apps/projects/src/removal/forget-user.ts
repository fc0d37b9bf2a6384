import { type EventData, type EventRecord, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { AccessRequests } from '../access-request/access-request.repository';
import { EndGroup } from '../group/end-group';
import { Members } from '../member/member.repository';
import { Namespaces } from '../namespace/namespace.repository';
import { Routes } from '../namespace/routes';
import { NotificationSettings } from '../notification/notification-settings';
import { RemoveProject } from '../project/remove-project';
import { ForgetStars } from '../star/operations/forget-stars';

/** Removes the records of a deleted user. */
@Injectable()
export class ForgetUser {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly members: Members,
    private readonly stars: ForgetStars,
    private readonly requests: AccessRequests,
    private readonly notifications: NotificationSettings,
    private readonly removal: RemoveProject,
    private readonly groups: EndGroup,
  ) {}

  @OnEvent(userDeleted, 'FollowUsers-deleted')
  async deleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    if (data.hard_delete) await this.removeSoleOwned(data.user_id);
    await this.stars.forgetOfUser(data.user_id);
    await this.requests.forgetUser(data.user_id);
    await this.notifications.forgetUser(data.user_id);
    for (const member of await this.members.listOfUser(data.user_id)) await this.members.end(member);
    const namespace = await this.namespaces.findOfUser(data.user_id);
    if (!namespace) return;
    await this.removal.removeAll({ namespaceId: namespace._id });
    await this.routes.release('namespace', namespace._id);
    await this.namespaces.model.deleteOne({ _id: namespace._id });
  }

  /** Deletes groups whose only owner was deleted. */
  private async removeSoleOwned(userId: number): Promise<void> {
    for (const group of await this.members.soleOwnedGroups(userId)) await this.groups.end(group);
  }
}
