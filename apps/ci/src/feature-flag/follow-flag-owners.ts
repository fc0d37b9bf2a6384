import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { FeatureFlags } from './feature-flags';
import { UserLists } from './user-lists';

/** Feature flags go with their project. */
@Injectable()
export class FollowFlagOwners {
  constructor(
    private readonly flags: FeatureFlags,
    private readonly lists: UserLists,
  ) {}

  @OnEvent(projectDeleted, 'FollowFlagOwners-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.flags.removeOfProject(data.project_id);
    await this.lists.removeOfProject(data.project_id);
  }
}
