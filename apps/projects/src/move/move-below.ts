import { groupChanged, projectChanged } from '@moothall/contracts';
import { Counters, changeDocument, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { deriveGroup } from '../namespace/derive-group';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { notPlacedSince } from '../namespace/placing';
import { Routes } from '../namespace/routes';
import { deriveProject } from '../project/derive-project';
import { Projects } from '../project/project.repository';
import type { ProjectDocument } from '../project/project.schema';
import { Shares } from '../share/share.repository';

/**
 * Derives what lies below a moved group anew from its parents, from the top down.
 *
 * Each walk has a number, drawn before anything is read, and leaves it on what it writes; what bears a later number is
 * not touched. So whoever was stopped for a while in the middle, and wakes after another has gone on, does not put back
 * what that one, or a later move, has written since.
 */
@Injectable()
export class MoveBelow {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
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
      await this.placeProject(project, namespace, 'renamed', walk, { namespaceId: namespace._id });
    }
    const children = this.namespaces.model.find({ parentId: namespace._id }).lean<NamespaceDocument>().cursor();
    for await (const child of children) {
      const moved = await this.place(child, namespace, walk);
      if (moved) await this.follow(moved, walk);
    }
  }

  /** @returns null where it went elsewhere, or was placed later than this walk began */
  private place({ _id }: NamespaceDocument, parent: NamespaceDocument, walk: number) {
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
        const event = newEvent(groupChanged, { group_id: _id, full_path: derived.fullPath, change: 'renamed' });
        const events = isAt(current, derived) ? [] : [event];
        return this.outbox.update(this.namespaces.model, unchanged, update, ...events);
      },
    );
  }

  /** Puts a project into another namespace. Its path there was claimed. */
  async transferProject(project: ProjectDocument, namespace: NamespaceDocument): Promise<void> {
    await this.placeProject(project, namespace, 'transferred', await this.counters.next('placements'), {});
  }

  private async placeProject(
    { _id, storage }: ProjectDocument,
    namespace: NamespaceDocument,
    change: 'renamed' | 'transferred',
    walk: number,
    where: { namespaceId?: number },
  ): Promise<void> {
    const target = { kind: 'project', targetId: _id, storage } as const;
    const moved = await changeDocument<ProjectDocument>(
      this.projects.model,
      { _id, ...where, ...notPlacedSince(walk) },
      ['name', 'path'],
      async (current) => {
        const derived = deriveProject(current, namespace);
        await this.routes.claim(derived.fullPath, target);
        const $set = { ...derived, placedBy: walk };
        return { $set, ...(derived.ownerId === undefined && { $unset: { ownerId: 1 } }) };
      },
      (unchanged, update) => {
        const { fullPath: full_path } = update.$set as ProjectDocument;
        const event = newEvent(projectChanged, { project_id: _id, full_path, change });
        return this.outbox.update(this.projects.model, unchanged, update, event);
      },
    );
    if (moved) await this.routes.settleOrLeave(moved.fullPath, target, walk);
  }
}

const isAt = (one: NamespaceDocument, other: NamespaceDocument): boolean =>
  one.fullPath === other.fullPath &&
  one.fullName === other.fullName &&
  one.ancestorIds.join() === other.ancestorIds.join();
