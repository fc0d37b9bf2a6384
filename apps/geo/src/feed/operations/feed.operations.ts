import {
  type ContextOf,
  forbidden,
  isPassing,
  listChecksums,
  listGeoChecksums,
  listGeoEvents,
  listGeoProjects,
  type ParsedOf,
  type ProjectRef,
  projectRefs,
  readableProjects,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { GeoSettings } from '../../settings/settings';
import { Feed } from '../feed.repository';
import { everybody, ShownProjects } from '../shown-projects';

/** Operations that secondaries follow. See docs/api/geo-replication.md#1. */
@Controller()
export class FeedOperations {
  private readonly isPrimary: boolean;

  constructor(
    private readonly feed: Feed,
    private readonly client: OperationClient,
    private readonly shown: ShownProjects,
    @Inject(settingsToken) { GEO_ROLE }: GeoSettings,
  ) {
    this.isPrimary = GEO_ROLE === 'primary';
  }

  @Handles(listGeoEvents)
  async events(_: ContextOf<typeof listGeoEvents>, { cursor, limit }: ParsedOf<typeof listGeoEvents>) {
    this.requirePrimary();
    const { events, lastId, lastAt } = await this.feed.read(cursor, limit);
    const named = new Set(events.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
    return {
      events: events.map(({ id, kind, projectId, groupId, at }) => ({
        id,
        kind,
        project_id: projectId,
        group_id: groupId,
        created_at: at.toISOString(),
      })),
      // Read after the events, so that the projects include their changes.
      projects: await this.shown.show([...named]),
      cursor_last_event_id: events.at(-1)?.id ?? cursor ?? lastId,
      last_event_id: lastId,
      last_event_timestamp: lastAt && Math.floor(lastAt.getTime() / 1000),
    };
  }

  @Handles(listGeoProjects)
  async projects(_: ContextOf<typeof listGeoProjects>, input: ParsedOf<typeof listGeoProjects>) {
    this.requirePrimary();
    const { id_after, group_id, limit } = input;
    const asked = { ...everybody, after_id: id_after, limit, ...(group_id && { group_id }) };
    const ids = (await this.client.call(readableProjects, asked)).map(({ id }) => id);
    return {
      projects: await this.shown.show(ids),
      next_id_after: ids.length < limit ? null : (ids.at(-1) ?? null),
    };
  }

  @Handles(listGeoChecksums)
  async checksums(_: ContextOf<typeof listGeoChecksums>, { project_ids, kind }: ParsedOf<typeof listGeoChecksums>) {
    this.requirePrimary();
    const projects = await this.client.call(projectRefs, { ids: [...new Set(project_ids)], ...everybody });
    const storages = [...new Set(projects.map(({ storage }) => storage))];
    const on = (name: string) => projects.filter(({ storage }) => storage === name);
    return { checksums: (await Promise.all(storages.map((name) => this.checksumsOn(on(name), kind)))).flat() };
  }

  /** @param projects on one storage; none of them if it does not answer */
  private async checksumsOn(projects: ProjectRef[], kind: 'code' | 'wiki') {
    const asked = { project_ids: projects.map(({ id }) => id), kind };
    return this.client.call(listChecksums, asked, { project: projects[0] }).catch((error: unknown) => {
      if (!isPassing(error)) throw error;
      return [];
    });
  }

  private requirePrimary(): void {
    if (!this.isPrimary) throw forbidden();
  }
}
