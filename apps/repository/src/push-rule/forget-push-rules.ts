import { type EventData, type EventRecord, groupDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { PushRuleSets } from './push-rule.repository';

/** Removes the push rules of a deleted group. */
@Injectable()
export class ForgetPushRules {
  constructor(private readonly rules: PushRuleSets) {}

  @OnEvent(groupDeleted, 'ForgetPushRules-ofGroup')
  async ofGroup({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.rules.remove({ kind: 'group', parentId: data.group_id });
  }
}
