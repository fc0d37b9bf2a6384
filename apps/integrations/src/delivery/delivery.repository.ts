import type { Page } from '@moothall/contracts';
import { Counters, collectionOf, findPage, insertEach, isDuplicateKey, writeAll } from '@moothall/database';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { Model, QueryFilter } from 'mongoose';
import type { Delivery, DeliveryPayload, FullDelivery } from './delivery.schema';

/** A delivery before it is stored. */
export type NewDelivery = Pick<FullDelivery, 'line' | 'key' | 'trigger' | 'payload'>;

/** Result of an attempt. */
export type Attempt = Pick<
  Delivery,
  'state' | 'shownUrl' | 'requestHeaders' | 'answer' | 'error' | 'durationSeconds' | 'attemptedAt'
>;

const keptCharacters = 32 * 2 ** 20;

/** Queries on deliveries. */
@Injectable()
export class DeliveryRecords {
  /** Ten thousand hooks can share a payload, which is read once. */
  private readonly texts = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(
    @InjectModel('Delivery') private readonly deliveries: Model<Delivery>,
    @InjectModel('DeliveryPayload') private readonly payloads: Model<DeliveryPayload>,
    private readonly counters: Counters,
  ) {}

  /** In their order. Existing deliveries stay unchanged. @returns the id of the first one */
  async add(added: readonly NewDelivery[], state: Delivery['state'] = 'waiting'): Promise<number> {
    const createdAt = new Date();
    const texts = new Map([...new Set(added.map(({ payload }) => payload))].map((text) => [text, sha256(text)]));
    await writeAll(
      collectionOf(this.payloads),
      [...texts].map(([text, _id]) => ({
        updateOne: { filter: { _id }, update: { $set: { usedAt: createdAt }, $setOnInsert: { text } }, upsert: true },
      })),
    );
    for (const [text, id] of texts) this.texts.set(id, text);
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

  waiting(line: string, limit: number): Promise<Delivery[]> {
    return this.deliveries.find({ line, state: 'waiting' }).sort({ _id: 1 }).limit(limit).lean<Delivery[]>();
  }

  /** Does not change a delivery that another process has finished, or that was dropped. */
  async attempted(id: number, attempt: Attempt): Promise<void> {
    const state = { $in: ['waiting', 'tried'] satisfies Delivery['state'][] };
    await this.deliveries.updateOne({ _id: id, state }, { $set: attempt, $inc: { attempts: 1 } });
  }

  async giveUp(id: number): Promise<void> {
    await this.deliveries.updateOne({ _id: id }, { $set: { state: 'dead' } });
  }

  /** Ends all waiting deliveries of a queue. */
  async end(line: string, state: 'dead' | 'dropped'): Promise<void> {
    await this.deliveries.updateMany({ line, state: 'waiting' }, { $set: { state } });
  }

  /** Attempted deliveries of a queue, latest first. */
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
    const [found] = await this.full(await this.deliveries.find({ _id: id, line }).lean<Delivery[]>());
    return found ?? null;
  }

  async forget(line: string): Promise<void> {
    await this.deliveries.deleteMany({ line });
  }

  /** With their payloads, which can be large. */
  async full(deliveries: readonly Delivery[]): Promise<FullDelivery[]> {
    const texts = await this.textsOf(new Set(deliveries.map(({ payloadId }) => payloadId)));
    return deliveries.map((delivery) => ({ ...delivery, payload: texts.get(delivery.payloadId) ?? '' }));
  }

  private async textsOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const id of ids) {
      const text = this.texts.get(id);
      if (text !== undefined) texts.set(id, text);
    }
    const missing = [...ids].filter((id) => !texts.has(id));
    if (missing.length === 0) return texts;
    for (const { _id, text } of await this.payloads.find({ _id: { $in: missing } }).lean<DeliveryPayload[]>()) {
      this.texts.set(_id, text);
      texts.set(_id, text);
    }
    return texts;
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
