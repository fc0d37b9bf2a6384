import { randomUUID } from 'node:crypto';
import { PeriodicJob } from '@moothall/background';
import type { GeoEventKind, GeoProject } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import type { GeoSettings } from '../../settings/settings';
import { Positions } from '../position.repository';
import type { Position } from '../position.schema';
import { CursorExpired, NotPrimary, PrimarySite } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import { type RepositoryKind, repositoryKinds } from '../replica-row.schema';
import { everything, isSelected, keyOf, type Selection } from '../selection';

/** Limit of an answer of the primary. */
const limit = 1000;

/**
 * Records what to copy, from the events of the primary. The work is stored before the position: after a kill
 * at any line, events are read again. See docs/api/geo-replication.md#3.
 */
@Injectable()
export class FollowPrimary {
  private readonly nodesEveryMs: number;
  private nodesReadAt = 0;

  constructor(
    private readonly primary: PrimarySite,
    private readonly positions: Positions,
    private readonly rows: ReplicaRows,
    private readonly nodes: GeoNodes,
    @Inject(settingsToken) { GEO_NODES_INTERVAL }: GeoSettings,
  ) {
    this.nodesEveryMs = GEO_NODES_INTERVAL * 1000;
  }

  @PeriodicJob('what the primary tells', {
    everySeconds: (following: FollowPrimary) => following.primary.looksEverySeconds,
    where: (following: FollowPrimary) => following.primary.isKnown,
  })
  async follow(signal?: AbortSignal): Promise<void> {
    try {
      await this.followNow(signal);
    } catch (error) {
      if (error instanceof NotPrimary) await this.positions.foundImpostor(error.message);
      throw error;
    }
  }

  private async followNow(signal?: AbortSignal): Promise<void> {
    await this.learnNodes();
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const selection = node ?? everything;
    while (!signal?.aborted) {
      const position = await this.positions.get();
      // A changed selection starts a new list.
      const isCurrent = position !== null && position.selection === keyOf(selection);
      if (!isCurrent) await this.begin(position, selection);
      else if (position.walkAfter !== null) await this.walk(position, position.walkAfter, selection);
      else if (!(await this.fetchEvents(position, selection))) return;
    }
  }

  /** First, because the node has the selection and the limits. */
  private async learnNodes(): Promise<void> {
    if (Date.now() - this.nodesReadAt < this.nodesEveryMs) return;
    await this.nodes.takeOver(await this.primary.nodes());
    this.nodesReadAt = Date.now();
  }

  /** The current cursor of the feed first: changes during the walk over the list come after it. */
  private async begin(known: Position | null, selection: Selection): Promise<void> {
    const { cursor_last_event_id, last_event_id, last_event_timestamp } = await this.primary.events({});
    await this.positions.begin(known, {
      cursor: cursor_last_event_id,
      cursorAt: null,
      walkAfter: 0,
      walk: randomUUID(),
      selection: keyOf(selection),
      lastId: last_event_id,
      lastAt: timeOf(last_event_timestamp),
      caughtUpAt: null,
      heardAt: new Date(),
    });
  }

  private async walk(position: Position, id_after: number, selection: Selection): Promise<void> {
    const { projects, next_id_after } = await this.primary.projects({ id_after, limit });
    await this.note(projects, position, selection);
    if (next_id_after === null) await this.rows.dropUnseen(position.walk);
    await this.positions.advance(position, { walkAfter: next_id_after, heardAt: new Date() });
  }

  /** @returns whether there may be more */
  private async fetchEvents(position: Position, selection: Selection): Promise<boolean> {
    const askedAt = new Date();
    const page = await this.primary.events({ cursor: position.cursor ?? 0, limit }).catch(async (error: unknown) => {
      if (!(error instanceof CursorExpired)) throw error;
      await this.begin(position, selection);
      return undefined;
    });
    if (!page) return true;
    const there = new Map(page.projects.map((project) => [project.id, project]));
    const named = new Set(page.events.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])));
    const concerned = new Set(
      page.events.flatMap(({ project_id, kind: event }) =>
        repositoryKinds.filter((kind) => concernsKind(event, kind)).map((kind) => `${project_id}-${kind}`),
      ),
    );
    await this.note([...there.values()], position, selection, (id, kind) => concerned.has(`${id}-${kind}`));
    await this.rows.drop([...named].filter((id) => !there.has(id)));
    const groups = new Set(page.events.flatMap(({ group_id }) => (group_id === null ? [] : [group_id])));
    for (const id of groups) await this.noteGroup(id, position, selection);
    const last = page.events.at(-1);
    const hasMore = page.cursor_last_event_id < page.last_event_id;
    await this.positions.advance(position, {
      cursor: page.cursor_last_event_id,
      ...(last && { cursorAt: new Date(last.created_at) }),
      lastId: page.last_event_id,
      lastAt: timeOf(page.last_event_timestamp),
      heardAt: new Date(),
      ...(!hasMore && { caughtUpAt: askedAt }),
    });
    return hasMore;
  }

  private async noteGroup(group_id: number, position: Position, selection: Selection): Promise<void> {
    for (let id_after: number | null = 0; id_after !== null; ) {
      const { projects, next_id_after } = await this.primary.projects({ group_id, id_after, limit });
      await this.note(projects, position, selection);
      id_after = next_id_after;
    }
  }

  /** @param concerns whether a repository of a selected project may have changed */
  private async note(
    projects: readonly GeoProject[],
    { walk }: Position,
    selection: Selection,
    concerns: (id: number, kind: RepositoryKind) => boolean = () => true,
  ): Promise<void> {
    for (const kind of repositoryKinds) {
      const wanted = projects.filter((project) => isSelected(project, kind, selection));
      const isWanted = new Set(wanted.map(({ id }) => id));
      const unwanted = projects.map(({ id }) => id).filter((id) => !isWanted.has(id));
      const wishes = wanted
        .filter(({ id }) => concerns(id, kind))
        .map(({ id, path_with_namespace: path }) => ({ projectId: id, kind, path }));
      await this.rows.want(wishes, walk);
      await this.rows.drop(unwanted, kind);
    }
  }
}

const timeOf = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000));

/** Whether an event affects a repository of that kind. */
const concernsKind = (event: GeoEventKind, kind: RepositoryKind): boolean =>
  kind === 'code' ? event !== 'wiki_updated' : event !== 'repository_updated';
