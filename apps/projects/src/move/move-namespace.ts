import { allAlone, Lease, PeriodicJob } from '@moothall/background';
import { commonErrors, groupChanged } from '@moothall/contracts';
import { newEvent, Outbox, persistently } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { deriveGroup, type GroupLocation } from '../namespace/derive-group';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';
import { shownBefore } from '../namespace/shown-before';
import { MoveBelow } from './move-below';

/** Thrown where another group, user or project stands under the new path. */
export class PathTaken extends Error {}

/*
 * A group that moves takes everything below along. Its own document changes first, together with the mark
 * `isMoving`; then each document below is derived from its parent, from the top down. An interruption in
 * between leaves the mark, and a periodic job finds it and continues; until then old paths still work below.
 */
@Injectable()
export class MoveNamespace {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly below: MoveBelow,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
  ) {}

  /** @throws PathTaken; common.conflict while an earlier move is under way */
  async move(namespace: NamespaceDocument, location: GroupLocation, actorId?: number): Promise<NamespaceDocument> {
    const derived = deriveGroup(location);
    const target = { kind: 'namespace', targetId: namespace._id } as const;
    if (!(await this.routes.claim(derived.fullPath, target))) throw new PathTaken(derived.fullPath);
    const isTransfer = namespace.parentId !== derived.parentId;
    const event = newEvent(groupChanged, {
      group_id: namespace._id,
      full_path: derived.fullPath,
      change: isTransfer ? 'transferred' : 'renamed',
      before: shownBefore(namespace, { ...namespace, ...derived }),
      ...(actorId !== undefined && { actor_id: actorId }),
    });
    const write = () =>
      this.outbox.update(
        this.namespaces.model,
        // A concurrent rename or move stays.
        { _id: namespace._id, isMoving: false, fullPath: namespace.fullPath, name: namespace.name },
        { $set: { ...derived, isMoving: true } },
        ...(namespace.kind === 'group' ? [event] : []),
      );
    const moved = await (isTransfer && derived.parentId !== null
      ? this.oneByOne(async () => ((await this.mayStandBelow(derived.parentId, namespace._id)) ? write() : null))
      : write());
    if (!moved) {
      await this.giveUp(namespace._id, derived.pathKey);
      throw commonErrors.conflict();
    }
    await this.outbox.promptly(persistently(() => this.carryOn(moved)));
    return { ...moved, isMoving: false };
  }

  /** Of two groups that go below each other at once, the second finds what the first has written. */
  private async oneByOne<T>(transfer: () => Promise<T>): Promise<T> {
    const lease = new Lease(this.namespaces.model.db.collection('leases'), 'transfers of groups');
    await lease.take();
    try {
      return await transfer();
    } finally {
      await lease.giveUp();
    }
  }

  /** By the parents, which a transfer writes first: the lists of ancestors further below follow later. */
  private async mayStandBelow(parentId: number | null, id: number): Promise<boolean> {
    const above = new Set([id]);
    for (let at = parentId; at !== null; ) {
      const group = above.has(at) ? null : await this.namespaces.find(at);
      if (!group) return false;
      above.add(at);
      at = group.parentId;
    }
    return true;
  }

  /** Unless another process has already moved it there. */
  private async giveUp(id: number, pathKey: string): Promise<void> {
    const current = await this.namespaces.find(id);
    if (current?.pathKey !== pathKey) await this.routes.drop(pathKey);
  }

  /** By one process at a time; the others find nothing left to do. */
  private async carryOn({ _id }: NamespaceDocument): Promise<void> {
    const lease = new Lease(this.namespaces.model.db.collection('leases'), `move of namespace ${_id}`);
    await lease.take();
    try {
      await this.below.finishMove(_id);
    } finally {
      await lease.giveUp();
    }
  }

  /** All at once: one that somebody is at is waited for. */
  @PeriodicJob('moves of groups', { everySeconds: 15 })
  async carryOnAll(): Promise<void> {
    const moving = await this.namespaces.model.find({ isMoving: true }).lean<NamespaceDocument[]>();
    await allAlone(moving, (top) => this.carryOn(top));
  }
}
