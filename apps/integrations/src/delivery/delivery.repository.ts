import type { Page } from '@moothall/contracts';
import { Counters, collectionOf, findPage, insertEach, isDuplicateKey, writeAll } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { Delivery, DeliveryPayload, FullDelivery } from './delivery.schema';

/** Something that a subscriber is to be told. */
export type NewDelivery = Pick<FullDelivery, 'line' | 'key' | 'trigger' | 'payload'>;

/** What became of an attempt. */
export type Attempt = Pick<
  Delivery,
  'state' | 'shownUrl' | 'requestHeaders' | 'answer' | 'error' | 'durationSeconds' | 'attemptedAt'
>;

/** Queries on deliveries. */
@Injectable()
export class DeliveryRecords {
  constructor(
    @InjectModel('Delivery') private readonly deliveries: Model<Delivery>,
    @InjectModel('DeliveryPayload') private readonly payloads: Model<DeliveryPayload>,
    private readonly counters: Counters,
  ) {}

  /** In their order. Those that are there already stay as they are. @returns the id of the first */
  async add(added: readonly NewDelivery[], state: Delivery['state'] = 'waiting'): Promise<number> {
    const createdAt = new Date();
    const texts = new Map([...new Set(added.map(({ payload }) => payload))].map((text) => [text, sha256(text)]));
    await writeAll(
      collectionOf(this.payloads),
      [...texts].map(([text, _id]) => ({
        updateOne: { filter: { _id }, update: { $set: { usedAt: createdAt }, $setOnInsert: { text } }, upsert: true },
      })),
    );
    const first = await this.counters.take('deliveries', added.length);
    const documents = added.map(({ payload, ...delivery }, at) => ({
      ...blank,
      ...delivery,
      payloadId: texts.get(payload),
      state,
      _id: first + at,
      createdAt,
    }));
    const failures = await insertEach(collectionOf(this.deliveries), documents);
    for (const failure of failures.values()) if (!isDuplicateKey(failure)) throw failure;
    return first;
  }

  waiting(line: string, limit: number): Promise<FullDelivery[]> {
    const found = this.deliveries.find({ line, state: 'waiting' }).sort({ _id: 1 }).limit(limit).lean<Delivery[]>();
    return this.full(found);
  }

  async attempted(id: number, attempt: Attempt): Promise<void> {
    await this.deliveries.updateOne({ _id: id }, { $set: attempt, $inc: { attempts: 1 } });
  }

  async giveUp(id: number): Promise<void> {
    await this.deliveries.updateOne({ _id: id }, { $set: { state: 'dead' } });
  }

  /** Ends all that wait in a line. */
  async end(line: string, state: 'dead' | 'dropped'): Promise<void> {
    await this.deliveries.updateMany({ line, state: 'waiting' }, { $set: { state } });
  }

  /** Those of a line that were tried, the latest first. */
  async page(
    line: string,
    filter: QueryFilter<Delivery>,
    input: { page: number; per_page: number },
  ): Promise<Page<FullDelivery>> {
    const { items, ...rest } = await findPage(
      this.deliveries,
      { ...filter, line, attempts: { $gt: 0 } },
      { _id: -1 },
      input,
    );
    return { ...rest, items: await this.full(items) };
  }

  async find(line: string, id: number): Promise<FullDelivery | null> {
    const found = await this.full(this.deliveries.find({ _id: id, line }).lean<Delivery[]>());
    return found[0] ?? null;
  }

  async forget(line: string): Promise<void> {
    await this.deliveries.deleteMany({ line });
  }

  private async full(found: Delivery[] | PromiseLike<Delivery[]>): Promise<FullDelivery[]> {
    const deliveries = await found;
    const ids = [...new Set(deliveries.map(({ payloadId }) => payloadId))];
    if (ids.length === 0) return [];
    const payloads = await this.payloads.find({ _id: { $in: ids } }).lean<DeliveryPayload[]>();
    const texts = new Map(payloads.map(({ _id, text }) => [_id, text]));
    return deliveries.map((delivery) => ({ ...delivery, payload: texts.get(delivery.payloadId) ?? '' }));
  }
}

const blank = {
  attempts: 0,
  shownUrl: null,
  requestHeaders: null,
  answer: null,
  error: null,
  durationSeconds: null,
  attemptedAt: null,
};
