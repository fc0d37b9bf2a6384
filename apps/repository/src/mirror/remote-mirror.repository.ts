import { commonErrors, type Page } from '@moothall/contracts';
import { Counters, findPage } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { RemoteMirror } from './remote-mirror.schema';

export type NewMirror = Pick<
  RemoteMirror,
  | 'projectId'
  | 'storage'
  | 'sealedUrl'
  | 'shownUrl'
  | 'sshKey'
  | 'knownHosts'
  | 'isEnabled'
  | 'onlyProtectedBranches'
  | 'keepsDivergentRefs'
> &
  Partial<Pick<RemoteMirror, 'wantedAt' | 'dueAt' | 'failures' | 'status'>>;
/** A push that has run longer was killed, and counts as failed. */
const startedAtMostMs = 30 * 60_000;

/** Queries on push mirrors. */
@Injectable()
export class RemoteMirrors {
  constructor(
    @InjectModel('RemoteMirror') private readonly mirrors: Model<RemoteMirror>,
    private readonly counters: Counters,
  ) {}

  async add(mirror: NewMirror): Promise<RemoteMirror> {
    const created = await this.mirrors.create({ _id: await this.counters.next('remote_mirrors'), ...mirror });
    return created.toObject() as RemoteMirror;
  }

  page(projectId: number, input: { page: number; per_page: number }): Promise<Page<RemoteMirror>> {
    return findPage(this.mirrors, { projectId }, { _id: 1 }, input);
  }

  count(projectId: number): Promise<number> {
    return this.mirrors.countDocuments({ projectId });
  }

  /** @throws common.not_found */
  async get(projectId: number, id: number): Promise<RemoteMirror> {
    const mirror = await this.mirrors.findOne({ _id: id, projectId }).lean<RemoteMirror>();
    if (!mirror) throw commonErrors.notFound();
    return mirror;
  }

  find(id: number): Promise<RemoteMirror | null> {
    return this.mirrors.findById(id).lean<RemoteMirror>();
  }

  async change(id: number, changes: Partial<RemoteMirror>): Promise<RemoteMirror> {
    const changed = await this.mirrors
      .findByIdAndUpdate(id, { $set: changes }, { returnDocument: 'after' })
      .lean<RemoteMirror>();
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  /**
   * Requests a push at the latest at that time. A running push is not affected.
   * @throws common.not_found
   */
  async want(id: number, dueAt: Date, changes: Partial<RemoteMirror>): Promise<RemoteMirror> {
    const set = {
      ...Object.fromEntries(Object.entries(changes).map(([field, $literal]) => [field, { $literal }])),
      ...{ wantedAt: new Date(), failures: 0, dueAt: { $min: ['$dueAt', dueAt] } },
      status: { $cond: [{ $eq: ['$status', 'started'] }, 'started', 'scheduled'] },
    };
    const changed = await this.mirrors
      .findByIdAndUpdate(id, [{ $set: set }], { returnDocument: 'after', updatePipeline: true })
      .lean<RemoteMirror>();
    if (!changed) throw commonErrors.notFound();
    return changed;
  }

  /**
   * @param known the mirror that the changes are based on
   * @returns false if a push was requested since, or another result was stored
   */
  async end({ _id, wantedAt, status }: RemoteMirror, changes: Partial<RemoteMirror>): Promise<boolean> {
    const { matchedCount } = await this.mirrors.updateOne({ _id, wantedAt, status }, { $set: changes });
    return matchedCount > 0;
  }

  async remove(id: number): Promise<void> {
    await this.mirrors.deleteOne({ _id: id });
  }

  async moveProject(projectId: number, storage: string): Promise<void> {
    await this.mirrors.updateMany({ projectId }, { $set: { storage } });
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.mirrors.deleteMany({ projectId });
  }

  listEnabled(projectId: number): Promise<RemoteMirror[]> {
    return this.mirrors.find({ projectId, isEnabled: true }).lean<RemoteMirror[]>();
  }

  /** Mirrors of some storages with a due push, or with a push that was killed. */
  listDue(storages: readonly string[]): Promise<RemoteMirror[]> {
    const now = new Date();
    const hung = new Date(now.getTime() - startedAtMostMs);
    return this.mirrors
      .find({
        storage: { $in: storages },
        dueAt: { $lte: now },
        $or: [{ status: { $ne: 'started' } }, { startedAt: { $lt: hung } }],
      })
      .limit(1000)
      .lean<RemoteMirror[]>();
  }

  /** Starts one push of a mirror. @returns null if another process has it, or no push is requested any more */
  start(id: number): Promise<RemoteMirror | null> {
    const now = new Date();
    const hung = new Date(now.getTime() - startedAtMostMs);
    return this.mirrors
      .findOneAndUpdate(
        {
          _id: id,
          dueAt: { $lte: now },
          $or: [{ status: { $ne: 'started' } }, { startedAt: { $lt: hung } }],
        },
        { $set: { status: 'started', startedAt: now } },
        { returnDocument: 'after' },
      )
      .lean<RemoteMirror>();
  }

  /** Requests the pushes again that this process was running when it was killed. */
  async restart(storage: string): Promise<void> {
    await this.mirrors.updateMany({ storage, status: 'started' }, { $set: { status: 'to_retry' } });
  }
}
