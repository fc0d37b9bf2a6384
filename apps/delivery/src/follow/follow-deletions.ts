import { type EventData, type EventRecord, projectDeleted, repositoryUpdated, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Releases } from '../release/release.repository';
import { releaseTold } from '../release/release-told';

const tags = 'refs/tags/';
const isNone = (sha: string): boolean => /^0+$/.test(sha);

/** Releases go with their tag and with their project; what users released goes to the ghost user. */
@Injectable()
export class FollowDeletions {
  constructor(private readonly releases: Releases) {}

  /** A tag that was made again has a release again only where somebody released it after that. */
  @OnEvent(repositoryUpdated, 'FollowDeletions-onPush')
  async onPush({ data, occurredAt }: EventRecord<EventData<typeof repositoryUpdated>>): Promise<void> {
    const gone = data.changes.filter(({ ref, after }) => ref.startsWith(tags) && isNone(after));
    if (gone.length === 0) return;
    const names = gone.map(({ ref }) => ref.slice(tags.length));
    for (const release of await this.releases.ofGoneTags(data.project_id, names, new Date(occurredAt)))
      await this.releases.removeGone(release, releaseTold(release, { action: 'delete', userId: null, commit: null }));
  }

  @OnEvent(projectDeleted, 'FollowDeletions-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.releases.forgetProject(data.project_id);
  }

  @OnEvent(userDeleted, 'FollowDeletions-onUserDeleted')
  async onUserDeleted({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    await this.releases.handOver(data.user_id, data.ghost_user_id);
  }
}
