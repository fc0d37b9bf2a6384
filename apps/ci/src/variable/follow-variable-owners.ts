import { type EventData, type EventRecord, groupDeleted, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { StoredVariables } from './stored-variables';

/** Deletes variables with their owners. */
@Injectable()
export class FollowVariableOwners {
  constructor(private readonly variables: StoredVariables) {}

  @OnEvent(projectDeleted, 'FollowVariableOwners-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.variables.forget(`project ${data.project_id}`);
  }

  @OnEvent(groupDeleted, 'FollowVariableOwners-onGroupDeleted')
  async onGroupDeleted({ data }: EventRecord<EventData<typeof groupDeleted>>): Promise<void> {
    await this.variables.forget(`group ${data.group_id}`);
  }
}
