import { lfsErrors } from '@moothall/contracts';
import { addWithin, Counters, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsLockDocument } from './lfs-lock.schema';

interface Walk {
  cursor?: number | undefined;
  limit: number;
  path?: string | undefined;
  id?: number | undefined;
}

const mostLocks = 10_000;

/** Every query on locks. */
@Injectable()
export class LfsLocks {
  constructor(
    @InjectModel('LfsLock') private readonly locks: Model<LfsLockDocument>,
    private readonly counters: Counters,
  ) {}

  /** Locks a path. @returns the existing lock, of any owner @throws lfs.too_many_locks */
  async create(
    given: Pick<LfsLockDocument, 'projectId' | 'path' | 'ownerId'>,
  ): Promise<{ lock: LfsLockDocument; isNew: boolean }> {
    const { projectId, path } = given;
    const bound = { model: this.locks, filter: { projectId }, most: mostLocks, refusal: lfsErrors.tooManyLocks };
    try {
      const lock = await addWithin(bound, async () => {
        const _id = await this.counters.next('lfs_locks');
        return (await this.locks.create({ ...given, _id, lockedAt: new Date() })).toObject();
      });
      return { lock, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error, 'path')) throw error;
    }
    const known = await this.locks.findOne({ projectId, path }).lean<LfsLockDocument>();
    // It was unlocked at this moment: try again.
    return known ? { lock: known, isNew: false } : this.create(given);
  }

  /** In order of creation, with the start of the next page. */
  async page(
    projectId: number,
    { cursor = 0, limit, path, id }: Walk,
  ): Promise<{ locks: LfsLockDocument[]; next?: number }> {
    const locks = await this.locks
      .find({
        projectId,
        ...(path !== undefined && { path }),
        $and: [{ _id: { $gte: cursor } }, ...(id === undefined ? [] : [{ _id: id }])],
      })
      .sort({ _id: 1 })
      .limit(limit + 1)
      .lean<LfsLockDocument[]>();
    const next = locks[limit]?._id;
    return { locks: locks.slice(0, limit), ...(next !== undefined && { next }) };
  }

  /** Locks of other users, of some paths or all. */
  ofOthers(
    projectId: number,
    { userId, paths, limit }: { userId?: number | undefined; paths?: readonly string[] | undefined; limit: number },
  ): Promise<LfsLockDocument[]> {
    return this.locks
      .find({
        projectId,
        ...(paths !== undefined && { path: { $in: [...paths] } }),
        ...(userId !== undefined && { ownerId: { $ne: userId } }),
      })
      .limit(limit)
      .lean<LfsLockDocument[]>();
  }

  /** @throws lfs.lock_not_found */
  async get(projectId: number, id: number): Promise<LfsLockDocument> {
    const lock = await this.locks.findOne({ _id: id, projectId }).lean<LfsLockDocument>();
    if (!lock) throw lfsErrors.lockNotFound();
    return lock;
  }

  /** @throws lfs.lock_not_found if another request was first */
  async remove({ _id }: LfsLockDocument): Promise<void> {
    const { deletedCount } = await this.locks.deleteOne({ _id });
    if (deletedCount === 0) throw lfsErrors.lockNotFound();
  }

  async forgetProject(projectId: number): Promise<void> {
    await this.locks.deleteMany({ projectId });
  }

  /** Nobody else could release them. */
  async forgetUser(ownerId: number): Promise<void> {
    await this.locks.deleteMany({ ownerId });
  }
}
