import { projectDeleted } from '@moothall/contracts';
import { databaseTime, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { notPlacedSince } from './placing';
import type { RouteDocument } from './route.schema';

export const pathKeyOf = (fullPath: string): string => fullPath.toLowerCase();

type Target = Pick<RouteDocument, 'kind' | 'targetId'> & { storage?: string; userId?: number | null };

/**
 * The register of all paths. A record reserves its path, is written, and confirms the reservation: paths are unique
 * although namespaces and projects are two collections, and a crash leaves at most a reservation, which `clearClaims`
 * removes.
 */
@Injectable()
export class Routes {
  constructor(
    @InjectModel('Route') private readonly routes: Model<RouteDocument>,
    private readonly outbox: Outbox,
  ) {}

  /** Reserves a path, also one that only redirects. @returns false if another owner has it */
  async claim(fullPath: string, target: Target): Promise<boolean> {
    const _id = pathKeyOf(fullPath);
    const claim = { userId: null, ...target, isRedirect: false, isSettled: false };
    const free = { $or: [{ isRedirect: true }, { kind: target.kind, targetId: target.targetId }] };
    const change = { $set: claim, $currentDate: { claimedAt: true } } as const;
    try {
      await this.routes.updateOne({ _id, ...free }, change, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // It existed, or was inserted meanwhile, perhaps for the same owner.
    return (await this.routes.updateOne({ _id, ...free }, change)).matchedCount === 1;
  }

  /**
   * Confirms a path; former paths of the owner redirect to it.
   * @param walk the walk that writes it: see `MoveBelow`
   */
  async settle(fullPath: string, { kind, targetId }: Target, walk?: number): Promise<void> {
    const _id = pathKeyOf(fullPath);
    const since = walk === undefined ? {} : notPlacedSince(walk);
    const placedBy = walk === undefined ? {} : { placedBy: walk };
    await this.routes.updateOne({ _id, kind, targetId, ...since }, { $set: { isSettled: true, ...placedBy } });
    const former = { kind, targetId, _id: { $ne: _id }, isRedirect: false, ...since };
    await this.routes.updateMany(former, { $set: { isRedirect: true, isSettled: true } });
  }

  /** The same after the record was written: if it fails, `clearClaims` confirms it. */
  async settleOrLeave(fullPath: string, target: Target, walk?: number): Promise<void> {
    await this.outbox.promptly(this.settle(fullPath, target, walk));
  }

  /** Releases a reservation. For a project, the repository may exist already and is removed. */
  async abandon(fullPath: string, { kind, targetId, storage }: Target): Promise<void> {
    const route = await this.routes.findOne({ _id: pathKeyOf(fullPath), kind, targetId }).lean<RouteDocument>();
    if (!route) return;
    const event = newEvent(projectDeleted, {
      project_id: targetId,
      full_path: fullPath,
      storage: storage ?? route.storage ?? 'default',
    });
    await this.outbox.remove(this.routes, route._id, ...(kind === 'project' ? [event] : []));
  }

  /** The id of the namespace for which identity reserved a user's path, before it wrote the user. */
  async claimedFor(userId: number, path: string): Promise<number | undefined> {
    const claim = { _id: pathKeyOf(path), userId, isRedirect: false };
    return (await this.routes.findOne(claim).lean<RouteDocument>())?.targetId;
  }

  /** Releases the path of a user who was not created. */
  async releaseClaimOf(userId: number, path: string): Promise<void> {
    await this.routes.deleteOne({ _id: pathKeyOf(path), userId, isSettled: false });
  }

  /** Frees one path. */
  async drop(pathKey: string): Promise<void> {
    await this.routes.deleteOne({ _id: pathKey });
  }

  /** Whether nobody owns that path. */
  async isFree(fullPath: string): Promise<boolean> {
    const route = await this.routes.findById(pathKeyOf(fullPath)).lean<RouteDocument>();
    return !route || route.isRedirect;
  }

  /** The former owner of a free path. */
  async formerTarget(fullPath: string, kind: RouteDocument['kind']): Promise<number | undefined> {
    const route = await this.routes.findOne({ _id: pathKeyOf(fullPath), kind, isRedirect: true }).lean<RouteDocument>();
    return route?.targetId;
  }

  /** Frees all paths of an owner. */
  async release(kind: RouteDocument['kind'], targetId: number): Promise<void> {
    await this.routes.deleteMany({ kind, targetId });
  }

  /** Whether a path is reserved for a record that is not written yet. */
  async isClaimed(kind: RouteDocument['kind'], targetId: number): Promise<boolean> {
    return (await this.routes.exists({ kind, targetId, isSettled: false })) !== null;
  }

  /** Reservations that were not confirmed for so long, by the clock of the database, which also set their time. */
  async unsettledFor(ms: number): Promise<RouteDocument[]> {
    const deadline = new Date((await databaseTime(this.routes.db)).getTime() - ms);
    return this.routes.find({ isSettled: false, claimedAt: { $lt: deadline } }).lean<RouteDocument[]>();
  }
}
