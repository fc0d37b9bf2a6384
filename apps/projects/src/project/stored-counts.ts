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

/** Younger ones still belong to the process that wrote them. */
const leftAfterMs = 60_000;

/**
 * Counts of other records in projects, so that no list has to count: computed again after each change.
 * That one is to be taken is noted on the project before the change, so that a stop in between, or a database that
 * refuses, is made good for.
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

  /** Changes what a number of that project counts. @throws what `change` throws; common.unavailable while too many wait to be counted */
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
    // They are taken within minutes, unless the database refuses that too.
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

  /** Of two who count at once, in this process or in two, the one that counted first does not write last. */
  async write(_id: number, count: () => Promise<UpdateQuery<ProjectDocument>>): Promise<void> {
    await changeDocument<ProjectDocument>(
      this.projects,
      { _id },
      ['countsRevision'],
      async () => ({ ...(await count()), $inc: { countsRevision: 1 } }),
      // A star does not change the project.
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

  /** Takes what a stop, or a database that refused, has left to be taken. */
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
