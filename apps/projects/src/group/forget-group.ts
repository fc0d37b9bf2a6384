import { type EventData, type EventRecord, groupDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { groupKey } from '../member/source';
import { Shares } from '../share/share.repository';

/** What this service keeps of a group goes after it, by the same event as everywhere. */
@Injectable()
export class ForgetGroup {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
  ) {}

  @OnEvent(groupDeleted)
  async deleted({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.members.forget(groupKey(data.group_id));
    await this.shares.forget(groupKey(data.group_id), data.group_id);
  }
}
