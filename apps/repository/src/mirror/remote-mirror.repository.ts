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
/** A push that hangs longer was killed, and counts as failed. */
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
   * Has it pushed no later than that. What is under way stays so.
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
   * @param known as it was when the changes were worked out
   * @returns false where a push was wanted since, or an end was written
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

  /** Those of some storages whose push is to be made now, or whose push was killed. */
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

  /** Takes a mirror for one push. @returns null when another has it, or nothing is wanted any more */
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

  /** What this process's push was still at when it was killed is to be made again. */
  async restart(storage: string): Promise<void> {
    await this.mirrors.updateMany({ storage, status: 'started' }, { $set: { status: 'to_retry' } });
  }
}
