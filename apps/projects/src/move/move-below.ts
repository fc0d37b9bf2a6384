import { groupChanged } from '@moothall/contracts';
import { Counters, changeDocument, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { deriveGroup } from '../namespace/derive-group';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { notPlacedSince } from '../namespace/placing';
import { Routes } from '../namespace/routes';
import { shownBefore } from '../namespace/shown-before';
import { PlaceProject } from '../project/place-project';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { Shares } from '../share/share.repository';

/**
 * Updates everything below a moved group from its parents, top down.
 *
 * Each walk draws a number before it reads anything, and stores it in every document that it writes; documents with a
 * higher number are skipped. So a process that was suspended, and resumes after another one has continued its work,
 * does not overwrite newer values.
 */
@Injectable()
export class MoveBelow {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly projectPlaces: PlaceProject,
    private readonly shares: Shares,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly counters: Counters,
  ) {}

  /** Completes the move of a group, unless it is complete. */
  async finishMove(namespaceId: number): Promise<void> {
    const walk = await this.counters.next('placements');
    const top = await this.namespaces.model
      .findOneAndUpdate(
        { _id: namespaceId, isMoving: true, ...notPlacedSince(walk) },
        { $set: { placedBy: walk } },
        { returnDocument: 'after' },
      )
      .lean<NamespaceDocument>();
    if (!top) return;
    const parent = top.parentId === null ? null : await this.namespaces.find(top.parentId);
    // A group above may have moved since this one was written, and its walk skips documents with a higher number.
    const placed = parent ? await this.place(top, parent, walk) : top;
    if (placed) await this.follow(placed, walk);
    await this.namespaces.model.updateOne({ _id: top._id, placedBy: walk }, { $set: { isMoving: false } });
  }

  private async follow(namespace: NamespaceDocument, walk: number): Promise<void> {
    await this.routes.settle(namespace.fullPath, { kind: 'namespace', targetId: namespace._id }, walk);
    await this.shares.follow(namespace, walk);
    const projects = this.projects.model.find({ namespaceId: namespace._id }).lean<ProjectDocument>().cursor();
    for await (const project of projects) {
      const isStill = { namespaceId: namespace._id, ...notPlacedSince(walk) };
      await this.projectPlaces.place(project, namespace, { change: 'renamed', walk, isStill });
    }
    const children = this.namespaces.model.find({ parentId: namespace._id }).lean<NamespaceDocument>().cursor();
    for await (const child of children) {
      await this.takeAlong(child, namespace, walk);
    }
  }

  private async takeAlong(child: NamespaceDocument, parent: NamespaceDocument, walk: number): Promise<void> {
    const moved = await this.place(child, parent, walk);
    if (moved) await this.follow(moved, walk);
  }

  /**
   * A group may have been written with an outdated parent: updates it to the parent's current place. It stores the
   * parent's number, not a higher one, so a running walk that reaches the parent next includes it.
   * @returns null if the parent is deleted
   */
  async catchUp(group: NamespaceDocument): Promise<NamespaceDocument | null> {
    if (group.parentId === null) return group;
    const parent = await this.namespaces.find(group.parentId);
    if (!parent) return null;
    if (isAt(group, deriveGroup({ ...group, parent }))) return group;
    await this.takeAlong(group, parent, parent.placedBy ?? 0);
    return this.namespaces.find(group._id);
  }

  /** @returns null if it was moved elsewhere, was written by a later walk, or would be its own ancestor */
  private async place({ _id }: NamespaceDocument, parent: NamespaceDocument, walk: number) {
    if (parent._id === _id || parent.ancestorIds.includes(_id)) return null;
    const target = { kind: 'namespace', targetId: _id } as const;
    return changeDocument<NamespaceDocument>(
      this.namespaces.model,
      { _id, parentId: parent._id, ...notPlacedSince(walk) },
      ['name', 'path'],
      async ({ name, path }) => {
        const derived = deriveGroup({ name, path, parent });
        await this.routes.claim(derived.fullPath, target);
        return { $set: { ...derived, placedBy: walk } };
      },
      (unchanged, update, current) => {
        const derived = update.$set as NamespaceDocument;
        const what = { group_id: _id, full_path: derived.fullPath, change: 'renamed' } as const;
        const event = newEvent(groupChanged, { ...what, before: shownBefore(current, { ...current, ...derived }) });
        const events = isAt(current, derived) ? [] : [event];
        return this.outbox.update(this.namespaces.model, unchanged, update, ...events);
      },
    );
  }
}

type Location = Pick<NamespaceDocument, 'fullPath' | 'fullName' | 'ancestorIds'>;

const isAt = (one: Location, other: Location): boolean =>
  one.fullPath === other.fullPath &&
  one.fullName === other.fullName &&
  one.ancestorIds.join() === other.ancestorIds.join();
