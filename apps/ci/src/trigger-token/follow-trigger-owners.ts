import { type EventData, type EventRecord, projectDeleted, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { TriggerTokens } from './trigger-tokens';

/** Deletes tokens with their project, and with their owner. */
@Injectable()
export class FollowTriggerOwners {
  constructor(private readonly triggers: TriggerTokens) {}

  @OnEvent(projectDeleted, 'FollowTriggerOwners-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.triggers.removeOfProject(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowTriggerOwners-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.triggers.removeOfOwner(data.user_id);
  }
}
