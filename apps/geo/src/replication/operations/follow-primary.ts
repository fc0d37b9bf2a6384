import { randomUUID } from 'node:crypto';
import { Sweeps } from '@moothall/background';
import type { GeoProject } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { GeoNodes } from '../../node/node.repository';
import { Positions } from '../position.repository';
import type { Position } from '../position.schema';
import { CursorExpired, PrimarySite } from '../primary-site';
import { ReplicaRows } from '../replica-row.repository';
import { isSelected, keyOf, type Selection } from '../selection';

/** In an answer of the primary. */
const limit = 1000;
/** Of a site that is no node. */
const everything: Selection = { selectiveSyncType: null, selectiveSyncNamespaceIds: [], selectiveSyncShards: [] };

/**
 * Notes what is to be copied, by what the primary tells. What was heard is noted first, and then that it was heard: killed
 * at any line, it is heard once more. See docs/api/geo.md#7.
 */
@Injectable()
export class FollowPrimary {
  constructor(
    private readonly primary: PrimarySite,
    private readonly positions: Positions,
    private readonly rows: ReplicaRows,
    private readonly nodes: GeoNodes,
  ) {}

  @Sweeps('what the primary tells', { everySeconds: 1 })
  async follow(signal?: AbortSignal): Promise<void> {
    if (!this.primary.isKnown) return;
    const node = await this.nodes.findCurrent();
    if (node && !node.isEnabled) return;
    const selection = node ?? everything;
    while (!signal?.aborted) {
      const position = await this.positions.get();
      // What is copied is found anew where other things are to be.
      const isCurrent = position !== null && position.selection === keyOf(selection);
      if (!isCurrent) await this.begin(selection);
      else if (position.walkAfter !== null) await this.walk(position, position.walkAfter, selection);
      else if (!(await this.hear(position, selection))) return;
    }
  }

  /** The place of the feed first: what happens while the list is walked comes after it. */
  private async begin(selection: Selection): Promise<void> {
    const { cursor_last_event_id, last_event_id } = await this.primary.events({});
    await this.positions.begin({
      cursor: cursor_last_event_id,
      cursorAt: null,
      walkAfter: 0,
      walk: randomUUID(),
      selection: keyOf(selection),
      lastId: last_event_id,
      heardAt: new Date(),
    });
  }

  private async walk(position: Position, id_after: number, selection: Selection): Promise<void> {
    const { projects, next_id_after } = await this.primary.projects({ id_after, limit });
    for (const project of projects) await this.note(project, position, selection);
    if (next_id_after === null) await this.rows.dropUnseen(position.walk);
    await this.positions.advance(position, { walkAfter: next_id_after, heardAt: new Date() });
  }

  /** @returns whether there may be more */
  private async hear(position: Position, selection: Selection): Promise<boolean> {
    const told = await this.primary.events({ cursor: position.cursor ?? 0, limit }).catch(async (error: unknown) => {
      if (!(error instanceof CursorExpired)) throw error;
      await this.begin(selection);
      return undefined;
    });
    if (!told) return true;
    const there = new Map(told.projects.map((project) => [project.id, project]));
    const named = new Set(told.events.flatMap(({ project_id }) => (project_id === null ? [] : [project_id])));
    for (const id of named) {
      const project = there.get(id);
      await (project ? this.note(project, position, selection) : this.rows.drop(id));
    }
    const groups = new Set(told.events.flatMap(({ group_id }) => (group_id === null ? [] : [group_id])));
    for (const id of groups) await this.noteGroup(id, position, selection);
    const last = told.events.at(-1);
    await this.positions.advance(position, {
      cursor: told.cursor_last_event_id,
      ...(last && { cursorAt: new Date(last.created_at) }),
      lastId: told.last_event_id,
      heardAt: new Date(),
    });
    return told.cursor_last_event_id < told.last_event_id;
  }

  private async noteGroup(group_id: number, position: Position, selection: Selection): Promise<void> {
    for (let id_after: number | null = 0; id_after !== null; ) {
      const { projects, next_id_after } = await this.primary.projects({ group_id, id_after, limit });
      for (const project of projects) await this.note(project, position, selection);
      id_after = next_id_after;
    }
  }

  private async note(project: GeoProject, { walk }: Position, selection: Selection): Promise<void> {
    if (isSelected(project, selection)) await this.rows.want(project.id, project.path_with_namespace, walk);
    else await this.rows.drop(project.id);
  }
}
