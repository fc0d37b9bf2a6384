import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
 * How events are not lost: an event is written into the document with its change, published, and then removed. A
 * deleted document cannot contain its event, so the intention to delete it is first written to `removals`. After a
 * crash the periodic job finds and publishes the events; consumers recognize duplicates by the event's id.
 */

const removals = 'removals';

interface Removal {
  _id: string;
  collection: string;
  recordId: unknown;
  /**
   * The required state of the document, as JSON, since a document cannot contain operators. Absent for an
   * unconditional deletion.
   */
  only?: string;
  events: EventRecord[];
}

/** Where unpublished events were found. */
interface Holder {
  _id: unknown;
  outbox: EventRecord[];
}

/** A document that contains events until they are published. */
export interface Outboxed {
  outbox?: EventRecord[];
}

/** Mongoose plugin for the schema of a collection with events. */
export function outboxed(schema: Schema): void {
  schema.add({ outbox: { type: [Object], default: undefined, select: false, passes: true } });
  // For the periodic job only; sparse, so that it contains only the few documents with events.
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

/** Writes changes together with their events, and publishes the events. */
@Injectable()
export class Outbox implements BeforeApplicationShutdown {
  private readonly log = new Logger(Outbox.name);
  private readonly pending = new Set<Promise<unknown>>();
  /** Deletions with a caller in this process, who gets whether the document existed. */
  private readonly underWay = new Set<string>();
  /** Deletions that the previous run of the periodic job found: their process had the time between two runs. */
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
   * Deletes one document and publishes its events. When the promise resolves, the document is deleted permanently.
   * @returns false if it did not exist; the events are published anyway
   */
  async remove<T extends { _id: unknown }>(
    model: Model<T>,
    recordId: T['_id'],
    ...events: EventRecord[]
  ): Promise<boolean> {
    return this.begin({ _id: randomUUID(), collection: model.collection.collectionName, recordId, events });
  }

  /** The same if the document matches the filter at its deletion; otherwise it stays, and nothing is published. */
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

  /** The caller checks whether it was deleted; the periodic job retries a deletion that keeps failing. */
  private async carryOut(removal: Removal): Promise<boolean> {
    let tries = 0;
    try {
      const wasThere = await persistently(() => {
        tries += 1;
        return this.finish(removal);
      });
      // A database that did not answer the first time may have deleted it.
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
   * Does immediately what the handler of an event, or a periodic job, also does, so that the caller sees the result.
   * A failure is left to them, since the request is already stored.
   */
  async promptly(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.log.warn(`left for later: ${error}`));
  }

  /** Published before the caller gets an answer, so that consumers are notified no later than the caller. */
  private async relay<T>(model: Model<T>, recordId: unknown, events: EventRecord[]): Promise<void> {
    if (events.length === 0 || !(await this.publish(events))) return;
    this.inBackground(this.clear(model, recordId, events));
  }

  private async clear<T>(model: Model<T>, recordId: unknown, events: EventRecord[]): Promise<void> {
    // The answer to the caller goes first.
    await nextTurn();
    const ids = events.map((event) => event.id);
    await collectionOf(model).updateOne({ _id: recordId }, { $pull: { outbox: { id: { $in: ids } } } });
  }

  /** Work that only the shutdown waits for. After a failure the periodic job does it again. */
  private inBackground(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.log.warn(`left to the periodic job: ${error}`))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
  }

  /** @returns false if they could not be published; they stay stored and the periodic job retries */
  private async publish(events: EventRecord[]): Promise<boolean> {
    try {
      for (const event of events) await this.publisher.publish(event);
      return true;
    } catch (error) {
      this.log.warn(`events could not be published, the periodic job will retry: ${error}`);
      return false;
    }
  }

  /** Publishes events that an earlier process, or an unavailable NATS, left. */
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
