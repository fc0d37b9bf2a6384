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

/** Thrown if another group, user or project has the new path. */
export class PathTaken extends Error {}

/*
 * Moves a group with everything below it. Its own document changes first and is marked with `isMoving`; then each
 * document below is updated from its parent, top down. After an interruption the mark remains, and a periodic job
 * continues; until then the old paths below still work.
 */
@Injectable()
export class MoveNamespace {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly below: MoveBelow,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
  ) {}

  /** @throws PathTaken; common.conflict while another move is in progress */
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
        // A concurrent rename or move wins.
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

  /** Serializes transfers: of two groups that move below each other, the second one sees the first one's result. */
  private async oneByOne<T>(transfer: () => Promise<T>): Promise<T> {
    const lease = new Lease(this.namespaces.model.db.collection('leases'), 'transfers of groups');
    await lease.take();
    try {
      return await transfer();
    } finally {
      await lease.giveUp();
    }
  }

  /** Checks parents, which a transfer writes first: the stored ancestors further below are updated later. */
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

  /** Releases the path, unless another process completed the move. */
  private async giveUp(id: number, pathKey: string): Promise<void> {
    const current = await this.namespaces.find(id);
    if (current?.pathKey !== pathKey) await this.routes.drop(pathKey);
  }

  /** One process at a time; the others find nothing to do. */
  private async carryOn({ _id }: NamespaceDocument): Promise<void> {
    const lease = new Lease(this.namespaces.model.db.collection('leases'), `move of namespace ${_id}`);
    await lease.take();
    try {
      await this.below.finishMove(_id);
    } finally {
      await lease.giveUp();
    }
  }

  /** Concurrently: it waits for moves that another process is completing. */
  @PeriodicJob('moves of groups', { everySeconds: 15 })
  async carryOnAll(): Promise<void> {
    const moving = await this.namespaces.model.find({ isMoving: true }).lean<NamespaceDocument[]>();
    await allAlone(moving, (top) => this.carryOn(top));
  }
}
