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
 * Derives everything below a moved group from its parents, from the top down.
 *
 * Each walk has a number, drawn before anything is read, and leaves it on what it writes; what bears a later number is
 * not touched. So a process that was suspended in the middle, and resumes after another has continued, does not restore
 * what that one, or a later move, has written since.
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

  /** Ends the move of a group, unless it has ended. */
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
    // What is above may have moved since its own place was written, and its walk passes by what bears a later number.
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
   * Lets a group that was written below its parent as that was read before follow to where the parent stands now. It
   * bears the parent's number, not a later one: a walk that has begun and comes to the parent next takes it along.
   * @returns null where the parent is gone
   */
  async catchUp(group: NamespaceDocument): Promise<NamespaceDocument | null> {
    if (group.parentId === null) return group;
    const parent = await this.namespaces.find(group.parentId);
    if (!parent) return null;
    if (isAt(group, deriveGroup({ ...group, parent }))) return group;
    await this.takeAlong(group, parent, parent.placedBy ?? 0);
    return this.namespaces.find(group._id);
  }

  /** @returns null where it went elsewhere, was placed later than this walk began, or would stand below itself */
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
