import { collectionOf, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { DeliveryQueue, DeliveryQueueJob, DeliveryQueueRun } from './delivery-queue.schema';

/** Queries on delivery queues. The collection is `lines`. */
@Injectable()
export class DeliveryQueues {
  constructor(@InjectModel('Line') private readonly queues: Model<DeliveryQueue>) {}

  find(id: string): Promise<DeliveryQueue | null> {
    return this.queues.findById(id).lean<DeliveryQueue>();
  }

  findMany(ids: string[]): Promise<DeliveryQueue[]> {
    return this.queues.find({ _id: { $in: ids } }).lean<DeliveryQueue[]>();
  }

  /** Those that are switched off. */
  async off(ids: string[]): Promise<Set<string>> {
    const found = await this.queues.find({ _id: { $in: ids }, isOff: true }, { _id: 1 }).lean<DeliveryQueue[]>();
    return new Set(found.map(({ _id }) => _id));
  }

  /** Marks queues as not empty. @returns those without a job: the job named `holder` owns them now */
  async want(ids: string[], holder: string): Promise<string[]> {
    const fresh = { holder: null, run: null, failures: 0, failingSince: null, retryAt: null, isOff: false };
    const collection = collectionOf(this.queues);
    await writeAll(
      collection,
      ids.map((_id) => ({
        updateOne: { filter: { _id }, update: { $inc: { wanted: 1 }, $setOnInsert: fresh }, upsert: true },
      })),
    );
    await this.queues.updateMany({ _id: { $in: ids }, holder: null }, { $set: { holder } });
    const held = await this.queues.find({ _id: { $in: ids }, holder }, { _id: 1 }).lean<DeliveryQueue[]>();
    return held.map(({ _id }) => _id);
  }

  /** Its job starts. @returns null if another job owns the queue */
  begin({ line: _id, holder, run }: DeliveryQueueRun): Promise<DeliveryQueue | null> {
    return this.queues
      .findOneAndUpdate({ _id, holder }, { $set: { run } }, { returnDocument: 'after' })
      .lean<DeliveryQueue>();
  }

  /** @returns null if another job owns the queue by now */
  own({ line: _id, ...run }: DeliveryQueueRun): Promise<DeliveryQueue | null> {
    return this.queues.findOne({ _id, ...run }).lean<DeliveryQueue>();
  }

  /** Passes the queue to another job. @returns false if another job owns it already */
  async handOver({ line: _id, ...from }: DeliveryQueueJob & Partial<DeliveryQueueRun>, to: string): Promise<boolean> {
    const { matchedCount } = await this.queues.updateOne({ _id, ...from }, { $set: { holder: to } });
    return matchedCount > 0;
  }

  /** Releases an empty queue. @returns false if a delivery was added since it was read */
  async release({ _id, holder, run, wanted }: DeliveryQueue): Promise<boolean> {
    const { matchedCount } = await this.queues.updateOne({ _id, holder, run, wanted }, { $set: { holder: null } });
    return matchedCount > 0;
  }

  /** Resets the failures, after a success or a change of the receiver. @returns the queue before; null if it had no failure */
  mend(id: string): Promise<DeliveryQueue | null> {
    return this.queues
      .findOneAndUpdate(
        { _id: id, failures: { $gt: 0 } },
        { $set: { failures: 0, failingSince: null, retryAt: null, isOff: false } },
      )
      .lean<DeliveryQueue>();
  }

  /** Counts a failed attempt. @returns the queue after it; null if another job owns it by now */
  async fail({ _id, holder, run }: DeliveryQueue, now: Date, retryAt: Date | null): Promise<DeliveryQueue | null> {
    const own = { _id, holder, run };
    await this.queues.updateOne({ ...own, failingSince: null }, { $set: { failingSince: now } });
    return this.queues
      .findOneAndUpdate(own, { $inc: { failures: 1 }, $set: { retryAt } }, { returnDocument: 'after' })
      .lean<DeliveryQueue>();
  }

  /** @returns whether this call switched it off */
  async switchOff(id: string): Promise<boolean> {
    const { matchedCount } = await this.queues.updateOne(
      { _id: id, isOff: false },
      { $set: { isOff: true, retryAt: null } },
    );
    return matchedCount > 0;
  }

  /** Those that have a job, or had one that was lost. */
  held(): AsyncIterable<DeliveryQueue> {
    // The range makes the planner use the index, the type its partial filter.
    const held = { holder: { $gte: '', $type: 'string' as const } };
    return this.queues.find(held).lean<DeliveryQueue>().cursor();
  }

  async remove(id: string): Promise<void> {
    await this.queues.deleteOne({ _id: id });
  }
}
