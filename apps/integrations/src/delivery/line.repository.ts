import { collectionOf, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Line, LineJob, LineRun } from './line.schema';

/** Queries on lines. */
@Injectable()
export class Lines {
  constructor(@InjectModel('Line') private readonly lines: Model<Line>) {}

  find(id: string): Promise<Line | null> {
    return this.lines.findById(id).lean<Line>();
  }

  findMany(ids: string[]): Promise<Line[]> {
    return this.lines.find({ _id: { $in: ids } }).lean<Line[]>();
  }

  /** Those of them that are switched off. */
  async off(ids: string[]): Promise<Set<string>> {
    const found = await this.lines.find({ _id: { $in: ids }, isOff: true }, { _id: 1 }).lean<Line[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Says that there is more to do. @returns those that nobody works on: the job named `holder` does now */
  async want(ids: string[], holder: string): Promise<string[]> {
    const fresh = { holder: null, run: null, failures: 0, failingSince: null, retryAt: null, isOff: false };
    const collection = collectionOf(this.lines);
    await writeAll(
      collection,
      ids.map((_id) => ({
        updateOne: { filter: { _id }, update: { $inc: { wanted: 1 }, $setOnInsert: fresh }, upsert: true },
      })),
    );
    await this.lines.updateMany({ _id: { $in: ids }, holder: null }, { $set: { holder } });
    const held = await this.lines.find({ _id: { $in: ids }, holder }, { _id: 1 }).lean<Line[]>();
    return held.map(({ _id }) => _id);
  }

  /** Its job begins. @returns null when the line is somebody else's */
  begin({ line: _id, holder, run }: LineRun): Promise<Line | null> {
    return this.lines.findOneAndUpdate({ _id, holder }, { $set: { run } }, { returnDocument: 'after' }).lean<Line>();
  }

  /** @returns null when the line is somebody else's by now */
  own({ line: _id, ...run }: LineRun): Promise<Line | null> {
    return this.lines.findOne({ _id, ...run }).lean<Line>();
  }

  /** Gives the line to another job. @returns false when it is somebody else's already */
  async handOver({ line: _id, ...from }: LineJob & Partial<LineRun>, to: string): Promise<boolean> {
    const { matchedCount } = await this.lines.updateOne({ _id, ...from }, { $set: { holder: to } });
    return matchedCount > 0;
  }

  /** Lets go of a line that has nothing to do. @returns false when something was added since it was seen */
  async release({ _id, holder, run, wanted }: Line): Promise<boolean> {
    const { matchedCount } = await this.lines.updateOne({ _id, holder, run, wanted }, { $set: { holder: null } });
    return matchedCount > 0;
  }

  /** Its receiver does well, or is another. @returns the line as it was, null when it did well before */
  mend(id: string): Promise<Line | null> {
    return this.lines
      .findOneAndUpdate(
        { _id: id, failures: { $gt: 0 } },
        { $set: { failures: 0, failingSince: null, retryAt: null, isOff: false } },
      )
      .lean<Line>();
  }

  /** One attempt more has failed. @returns the line as it is then; null when it is somebody else's by now */
  async fail({ _id, holder, run }: Line, now: Date, retryAt: Date | null): Promise<Line | null> {
    const own = { _id, holder, run };
    await this.lines.updateOne({ ...own, failingSince: null }, { $set: { failingSince: now } });
    return this.lines
      .findOneAndUpdate(own, { $inc: { failures: 1 }, $set: { retryAt } }, { returnDocument: 'after' })
      .lean<Line>();
  }

  /** @returns true for whoever switched it off */
  async switchOff(id: string): Promise<boolean> {
    const { matchedCount } = await this.lines.updateOne(
      { _id: id, isOff: false },
      { $set: { isOff: true, retryAt: null } },
    );
    return matchedCount > 0;
  }

  /** Those that a job works on, or should. */
  held(): AsyncIterable<Line> {
    // By a range, since that is what an index is read by; its type is what the partial one says.
    const held = { holder: { $gte: '', $type: 'string' as const } };
    return this.lines.find(held).lean<Line>().cursor();
  }

  async remove(id: string): Promise<void> {
    await this.lines.deleteOne({ _id: id });
  }
}
