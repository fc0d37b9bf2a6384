import { randomUUID } from 'node:crypto';
import { PeriodicJob } from '@moothall/background';
import type { EventContract, EventData, EventInput, EventRecord } from '@moothall/contracts';
import { EventPublisher } from '@moothall/messaging';
import { originOfTask } from '@moothall/tracing';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model, QueryFilter, Schema, UpdateQuery } from 'mongoose';
import { collectionNamed, collectionOf } from './collection-of';
import { eachLeftOver, heldIn } from './left-over';
import { persistently } from './persistently';

/*
 * How no event is lost: it is written into the document with its change, published, and then removed.
 * A document that goes away cannot hold its event, so the intent to remove it is written first, into `removals`.
 * Whatever a crash leaves behind, the periodic job finds and publishes; consumers know repeats by the event's id.
 */

const removals = 'removals';

interface Removal {
  _id: string;
  collection: string;
  recordId: unknown;
  /** What the document has to be like still, as JSON: a document takes no operators. Absent where it goes in any case. */
  only?: string;
  events: EventRecord[];
}

/** Where events were found that are not published. */
interface Holder {
  _id: unknown;
  outbox: EventRecord[];
}

/** A document that can hold events until they are published. */
export interface Outboxed {
  outbox?: EventRecord[];
}

/** Mongoose plugin for the schema of a collection whose changes others follow. */
export function outboxed(schema: Schema): void {
  schema.add({ outbox: { type: [Object], default: undefined, select: false, passes: true } });
  // Serves the periodic job only; sparse, so that it holds just the few documents with something to send.
  schema.index({ 'outbox.id': 1 }, { sparse: true });
}

/** An event to be written with its change. */
export function newEvent<E extends EventContract>(contract: E, data: EventInput<E>): EventRecord<EventData<E>> {
  return {
    id: randomUUID(),
    name: contract.name,
    data: data as EventData<E>,
    occurredAt: new Date().toISOString(),
    ...originOfTask(),
  };
}

/** Writes changes together with their events, and sees to it that the events leave. */
@Injectable()
export class Outbox implements BeforeApplicationShutdown {
  private readonly log = new Logger(Outbox.name);
  private readonly pending = new Set<Promise<unknown>>();
  /** Removals with a caller in this process, who gets whether the document was there. */
  private readonly underWay = new Set<string>();
  /** Removals that the last run of the periodic job found: their process had the time between two runs. */
  private found: ReadonlySet<string> = new Set();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly publisher: EventPublisher,
  ) {}

  /** Inserts a document and publishes its events. @throws MongoServerError 11000 on a duplicate */
  async insert<T extends Outboxed & { _id: unknown }>(
    model: Model<T>,
    document: Omit<T, 'createdAt' | 'updatedAt' | 'outbox'> & Partial<T>,
    ...events: EventRecord[]
  ): Promise<T> {
    const created = await model.create({ ...document, outbox: events });
    await this.relay(model, created._id, events);
    return created.toObject({ depopulate: true }) as T;
  }

  /** Updates one document and publishes the events of the change. @returns the document after it, null when none matched */
  async update<T extends Outboxed & { _id: unknown }>(
    model: Model<T>,
    filter: QueryFilter<T>,
    update: UpdateQuery<T>,
    ...events: EventRecord[]
  ): Promise<T | null> {
    const push = { ...update, $push: { ...update.$push, outbox: { $each: events } } };
    const updated = await model
      .findOneAndUpdate(filter, (events.length > 0 ? push : update) as UpdateQuery<T>, {
        returnDocument: 'after',
        // Only publishing is not a change.
        timestamps: Object.keys(update).length > 0,
      })
      .lean<T>();
    if (updated) await this.relay(model, updated._id, events);
    return updated;
  }

  /**
   * Removes one document and publishes the events of it. Once the promise resolves the document is gone for good.
   * @returns false where it was gone already; the events are published all the same
   */
  async remove<T extends { _id: unknown }>(
    model: Model<T>,
    recordId: T['_id'],
    ...events: EventRecord[]
  ): Promise<boolean> {
    return this.begin({ _id: randomUUID(), collection: model.collection.collectionName, recordId, events });
  }

  /** The same where the document is such as the filter says when it is to go; else it stays, and nothing is published. */
  async removeIf<T extends { _id: unknown }>(
    model: Model<T>,
    recordId: T['_id'],
    filter: QueryFilter<T>,
    ...events: EventRecord[]
  ): Promise<void> {
    const only = JSON.stringify(filter);
    await this.begin({ _id: randomUUID(), collection: model.collection.collectionName, recordId, only, events });
  }

  private async begin(removal: Removal): Promise<boolean> {
    this.underWay.add(removal._id);
    try {
      await this.connection.collection<Removal>(removals).insertOne(removal);
      return await this.carryOut(removal);
    } finally {
      this.underWay.delete(removal._id);
    }
  }

  /** The caller checks whether it was removed; a removal that keeps failing is left to the periodic job. */
  private async carryOut(removal: Removal): Promise<boolean> {
    let tries = 0;
    try {
      const wasThere = await persistently(() => {
        tries += 1;
        return this.finish(removal);
      });
      // A database that did not answer the first time may have removed it all the same.
      return wasThere || tries > 1;
    } catch (error) {
      this.log.warn(`the removal from ${removal.collection} is left to the periodic job: ${error}`);
      return true;
    }
  }

  private async finish({ _id, collection: name, recordId, only, events }: Removal): Promise<boolean> {
    const collection = collectionNamed(this.connection, name);
    const { deletedCount } = await collection.deleteOne({ ...(only && JSON.parse(only)), _id: recordId });
    const stays = only && deletedCount === 0 && (await collection.findOne({ _id: recordId }));
    if (stays || (await this.publish(events))) await this.connection.collection<Removal>(removals).deleteOne({ _id });
    return deletedCount > 0;
  }

  /**
   * Does now what the handler of an event, or a periodic job, does as well, so that the caller finds it done. Where it fails, it
   * is left to them: what was asked for is stored already.
   */
  async promptly(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.log.warn(`left for later: ${error}`));
  }

  /** Published before the caller gets an answer, so that consumers know no later than the caller. */
  private async relay<T>(model: Model<T>, recordId: unknown, events: EventRecord[]): Promise<void> {
    if (events.length === 0 || !(await this.publish(events))) return;
    this.inBackground(this.clear(model, recordId, events));
  }

  private async clear<T>(model: Model<T>, recordId: unknown, events: EventRecord[]): Promise<void> {
    const ids = events.map((event) => event.id);
    await collectionOf(model).updateOne({ _id: recordId }, { $pull: { outbox: { id: { $in: ids } } } });
  }

  /** What nobody waits for but the shutdown. Where it fails, the periodic job does it again. */
  private inBackground(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.log.warn(`left to the periodic job: ${error}`))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }

  /** @returns false when they could not be sent; they stay where they are and the periodic job tries again */
  private async publish(events: EventRecord[]): Promise<boolean> {
    try {
      for (const event of events) await this.publisher.publish(event);
      return true;
    } catch (error) {
      this.log.warn(`events could not be published, the periodic job will retry: ${error}`);
      return false;
    }
  }

  /** Sends what an earlier process, or a NATS that was away, left behind. */
  @PeriodicJob('outbox', { everySeconds: 10 })
  async recover(signal?: AbortSignal): Promise<void> {
    const found = new Set<string>();
    const finish = async (removal: Removal) => {
      found.add(removal._id);
      if (this.found.has(removal._id) && !this.underWay.has(removal._id)) await this.finish(removal);
    };
    const send = (model: Model<Holder>) => async (holder: Holder) => {
      if (await this.publish(holder.outbox)) await this.clear(model, holder._id, holder.outbox);
    };
    const begun = { collection: removals, work: finish };
    try {
      await eachLeftOver(this.connection, [begun, ...heldIn(this.connection, 'outbox', send)], signal);
    } finally {
      this.found = found;
    }
  }

  /** Before the database connection is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
