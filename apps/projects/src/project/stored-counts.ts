import { randomUUID } from 'node:crypto';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { commonErrors } from '@moothall/contracts';
import { changeDocument, hasRoom, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import type { StarDocument } from '../star/star.schema';
import type { UploadDocument } from '../upload/upload.schema';
import { type CountedField, mostRecounts, type ProjectDocument, type Recount } from './project.schema';

/** Younger marks still belong to the process that wrote them. */
const leftAfterMs = 60_000;

/**
 * Counts of other records, stored in projects so that no list has to count; computed again after each change. The
 * project is marked before the change, so a count is repaired after a crash or a database error.
 */
@Injectable()
export class StoredCounts {
  private readonly counts: Record<CountedField, (projectId: number) => Promise<number>> = {
    starCount: (projectId) => this.stars.countDocuments({ projectId }),
    forksCount: (forkedFromId) => this.projects.countDocuments({ forkedFromId }),
    uploadBytes: (projectId) => this.bytesOf(projectId),
  };

  constructor(
    @InjectModel('Project') private readonly projects: Model<ProjectDocument>,
    @InjectModel('Star') private readonly stars: Model<StarDocument>,
    @InjectModel('Upload') private readonly uploads: Model<UploadDocument>,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Runs a change that affects a count of the project. @throws the errors of `change`; common.unavailable at the limit
   * of pending counts
   */
  async whileChanging<R>(projectId: number, field: CountedField, change: () => Promise<R>): Promise<R> {
    const recount: Recount = { id: randomUUID(), field, at: new Date() };
    await this.note(projectId, recount);
    const result = await change();
    await this.outbox.promptly(this.take(projectId, [recount]));
    return result;
  }

  private async note(_id: number, recount: Recount): Promise<void> {
    const withRoom = { _id, ...hasRoom('recounts', mostRecounts) };
    const change = { $push: { recounts: recount } };
    const { matchedCount } = await this.projects.updateOne(withRoom, change, { timestamps: false });
    // The periodic job counts within minutes, unless the mark could not be written either.
    if (matchedCount === 0 && (await this.projects.exists({ _id }))) throw commonErrors.unavailable();
  }

  private async take(_id: number, due: Recount[]): Promise<void> {
    const fields = [...new Set(due.map(({ field }) => field))];
    const ids = due.map(({ id }) => id);
    await this.write(_id, async () => {
      const taken = fields.map(async (field) => [field, await this.counts[field](_id)]);
      const $set = Object.fromEntries(await Promise.all(taken));
      return { $set, $pull: { recounts: { id: { $in: ids } } } };
    });
  }

  /** Of two concurrent counts, in one process or in two, the older one is never written last. */
  async write(_id: number, count: () => Promise<UpdateQuery<ProjectDocument>>): Promise<void> {
    await changeDocument<ProjectDocument>(
      this.projects,
      { _id },
      ['countsRevision'],
      async () => ({ ...(await count()), $inc: { countsRevision: 1 } }),
      // A star does not change `updated_at`.
      (unchanged, update) =>
        this.projects.findOneAndUpdate(unchanged, update, { timestamps: false }).lean<ProjectDocument>(),
    );
  }

  private async bytesOf(projectId: number): Promise<number> {
    const [sum] = await this.uploads.aggregate<{ bytes: number }>([
      { $match: { projectId } },
      { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
    ]);
    return sum?.bytes ?? 0;
  }

  /** Computes counts that a crash or a database error left pending. */
  @PeriodicJob('recounts', { everySeconds: 60 })
  async run(signal?: AbortSignal): Promise<void> {
    const deadline = new Date(Date.now() - leftAfterMs);
    const left = this.projects.find({ 'recounts.at': { $lt: deadline } }, { recounts: 1 }).lean<ProjectDocument>();
    const take = ({ _id, recounts = [] }: ProjectDocument) =>
      this.take(
        _id,
        recounts.filter(({ at }) => at < deadline),
      );
    await eachAlone(left.cursor(), take, signal);
  }
}
