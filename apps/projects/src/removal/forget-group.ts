import { type EventData, type EventRecord, groupDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { AccessRequests } from '../access-request/access-request.repository';
import { Badges } from '../badge/badge.repository';
import { GroupExports } from '../group-archive/export/group-exports';
import { Avatars } from '../image/avatars';
import { Invitations } from '../invitation/invitation.repository';
import { JobTokenScopes } from '../job-token-scope/job-token-scopes';
import { Members } from '../member/member.repository';
import { MemberRoles } from '../member/member-roles';
import { groupKey } from '../member/source';
import { NotificationSettings } from '../notification/notification-settings';
import { Shares } from '../share/share.repository';

/** Removes the records of a deleted group in this service, by the same event as other services. */
@Injectable()
export class ForgetGroup {
  constructor(
    private readonly members: Members,
    private readonly memberRoles: MemberRoles,
    private readonly shares: Shares,
    private readonly requests: AccessRequests,
    private readonly notifications: NotificationSettings,
    private readonly invitations: Invitations,
    private readonly badges: Badges,
    private readonly avatars: Avatars,
    private readonly exports: GroupExports,
    private readonly jobTokenScopes: JobTokenScopes,
  ) {}

  @OnEvent(groupDeleted, 'ForgetGroup-deleted')
  async deleted({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    const source = groupKey(data.group_id);
    await this.members.forget(source);
    await this.memberRoles.forget(data.group_id);
    await this.shares.forget(source, data.group_id);
    await this.requests.forget(source);
    await this.notifications.forget(source);
    await this.invitations.forget(source);
    await this.badges.forget(source);
    await this.avatars.forget('group', data.group_id);
    await this.exports.forget(data.group_id);
    await this.jobTokenScopes.forgetGroup(data.group_id);
  }
}
