import { PeriodicJob } from '@moothall/background';
import {
  copiedRefsChanged,
  type EventData,
  type EventRecord,
  type GeoEventKind,
  groupChanged,
  importFinished,
  projectChanged,
  projectDeleted,
  repositoryUpdated,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { GeoSettings } from '../../settings/settings';
import { Feed } from '../feed.repository';

const kindOfChange = {
  created: 'project_created',
  updated: 'project_updated',
  renamed: 'project_renamed',
  transferred: 'project_renamed',
} as const;

/** Stores changes that secondaries have to copy. An event that arrives twice is checked twice. */
@Injectable()
export class FillFeed {
  private readonly isPrimary: boolean;

  constructor(
    private readonly feed: Feed,
    @Inject(settingsToken) { GEO_ROLE }: GeoSettings,
  ) {
    this.isPrimary = GEO_ROLE === 'primary';
  }

  @OnEvent(projectChanged, 'FillFeed-projectChanged')
  projectChanged({ data }: EventRecord<EventData<typeof projectChanged>>): Promise<void> {
    return this.add(kindOfChange[data.change], data.project_id);
  }

  @OnEvent(projectDeleted, 'FillFeed-projectDeleted')
  projectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    return this.add('project_deleted', data.project_id);
  }

  @OnEvent(repositoryUpdated, 'FillFeed-refsChanged')
  refsChanged({ data }: EventRecord<EventData<typeof repositoryUpdated>>): Promise<void> {
    return this.add('repository_updated', data.project_id);
  }

  @OnEvent(importFinished, 'FillFeed-imported')
  imported({ data }: EventRecord<EventData<typeof importFinished>>): Promise<void> {
    return this.add('repository_updated', data.project_id);
  }

  /** Refs of wikis, and internal refs of the server. */
  @OnEvent(copiedRefsChanged, 'FillFeed-copiedRefs')
  copiedRefsChanged({ data }: EventRecord<EventData<typeof copiedRefsChanged>>): Promise<void> {
    return this.add(data.kind === 'wiki' ? 'wiki_updated' : 'repository_updated', data.project_id);
  }

  /** A new group has no projects. */
  @OnEvent(groupChanged, 'FillFeed-groupChanged')
  async groupChanged({ data }: EventRecord<EventData<typeof groupChanged>>): Promise<void> {
    if (data.change !== 'created') await this.add('group_updated', null, data.group_id);
  }

  @PeriodicJob('old geo events', { everySeconds: 600 })
  async trim(): Promise<void> {
    await this.feed.trim();
  }

  private async add(kind: GeoEventKind, projectId: number | null, groupId: number | null = null): Promise<void> {
    if (this.isPrimary) await this.feed.add({ kind, projectId, groupId, at: new Date() });
  }
}
