import type { EventRecord } from '@moothall/contracts';
import { Outbox, type Outboxed } from '@moothall/database';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type Model, mongo, type QueryFilter, type Schema, type UpdateQuery } from 'mongoose';

/*
 * How what a change leaves in other collections (label events, system notes, comments that count) is never lost nor
 * doubled: the records stand in the changed document with their ids, in the same write; then they are inserted where
 * they belong, which repeats without harm, and pulled out. Whatever a crash leaves behind, the sweep inserts.
 */

const sweepEverySeconds = 10;

/** A record on its way to its collection. */
export interface JournalEntry {
  /** `collection/id of the record`. */
  id: string;
  collection: string;
  record: { _id: number };
}

/** A document whose changes leave records elsewhere. */
export interface Journaled {
  journal?: JournalEntry[];
}

/** Mongoose plugin for the schema of such a collection. */
export function journaled(schema: Schema): void {
  schema.add({ journal: { type: [Object], default: undefined, select: false } });
  // Serves the sweep only; sparse, so that it holds just the few documents with something left to insert.
  schema.index({ 'journal.id': 1 }, { sparse: true });
}

export const entryFor = <T extends { _id: number }>(collection: string, record: T): JournalEntry => ({
  id: `${collection}/${record._id}`,
  collection,
  record,
});

type JournaledDocument = Outboxed & Journaled & { _id: number };

/** Writes changes together with the records they leave. */
@Injectable()
export class Journal implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(Journal.name);
  private readonly pending = new Set<Promise<unknown>>();
  private timer?: NodeJS.Timeout;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly outbox: Outbox,
  ) {}

  /** Inserts a document with the records that it leaves. @throws MongoServerError 11000 on a duplicate */
  async insert<T extends JournaledDocument>(
    model: Model<T>,
    document: Parameters<typeof this.outbox.insert<T>>[1],
    entries: JournalEntry[],
    ...events: EventRecord[]
  ): Promise<T> {
    const withEntries = entries.length > 0 ? { ...document, journal: entries } : document;
    const inserted = await this.outbox.insert(model, withEntries, ...events);
    await this.settle(model, inserted._id, entries);
    return inserted;
  }

  /** Updates one document with the records that it leaves. @returns the document after it, null when none matched */
  async update<T extends JournaledDocument>(
    model: Model<T>,
    filter: QueryFilter<T>,
    update: UpdateQuery<T>,
    entries: JournalEntry[],
    ...events: EventRecord[]
  ): Promise<T | null> {
    const push = { ...update, $push: { ...update.$push, journal: { $each: entries } } };
    const written = entries.length > 0 ? (push as UpdateQuery<T>) : update;
    const updated = await this.outbox.update(model, filter, written, ...events);
    if (updated) await this.settle(model, updated._id, entries);
    return updated;
  }

  /** Inserts what a document holds for others; resolves when it can be read there. */
  private async settle<T>(model: Model<T>, documentId: number, entries: JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    for (const [collection, records] of grouped(entries)) await this.insertOnce(collection, records);
    const ids = entries.map(({ id }) => id);
    const pull = model.collection
      .updateOne({ _id: documentId as never }, { $pull: { journal: { id: { $in: ids } } } as never })
      .catch((error: unknown) => this.log.warn(`the sweep will clear ${ids.join(', ')}: ${error}`))
      .finally(() => this.pending.delete(pull));
    this.pending.add(pull);
  }

  /** Inserts what a document still holds, written by whomever. */
  async settleLeft<T extends JournaledDocument>(model: Model<T>, documentId: number): Promise<void> {
    const holder = await model.collection.findOne({ _id: documentId as never }, { projection: { journal: 1 } });
    await this.settle(model, documentId, holder?.journal ?? []);
  }

  /** A record that is there already was inserted by an earlier try. */
  private async insertOnce(collection: string, records: { _id: number }[]): Promise<void> {
    try {
      await this.connection.collection<{ _id: number }>(collection).insertMany(records, { ordered: false });
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError) || error.code !== 11000) throw error;
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.sweep();
    this.timer = setInterval(() => {
      const sweep = this.sweep().finally(() => this.pending.delete(sweep));
      this.pending.add(sweep);
    }, sweepEverySeconds * 1000);
    this.timer.unref();
  }

  /** Inserts what an earlier process left in its documents. */
  async sweep(): Promise<void> {
    try {
      for (const model of Object.values(this.connection.models)) {
        if (!model.schema.path('journal')) continue;
        const holders = model.collection.find({ 'journal.id': { $gt: '' } }, { projection: { journal: 1 } });
        for await (const holder of holders) await this.settle(model, Number(holder._id), holder.journal);
      }
    } catch (error) {
      this.log.warn(`sweep stopped: ${error}`);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.pending);
  }
}

function grouped(entries: JournalEntry[]): Map<string, { _id: number }[]> {
  const byCollection = new Map<string, { _id: number }[]>();
  for (const { collection, record } of entries) {
    byCollection.set(collection, [...(byCollection.get(collection) ?? []), record]);
  }
  return byCollection;
}
