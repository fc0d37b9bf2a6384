import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PeriodicJob } from '@moothall/background';
import type { EventRecord } from '@moothall/contracts';
import { collectionOf, eachLeftOver, heldIn, SharedWrites } from '@moothall/database';
import { EventPublisher } from '@moothall/messaging';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model, Schema, UpdateQuery } from 'mongoose';

/*
 * How the records and events of a change (label events, system notes, counts of comments, events for other services)
 * are written exactly once: the write that changes the document also stores them in it, with their ids. Then the
 * records are inserted into their collections, which is idempotent, and the events are published. Then both are removed
 * from the document. The periodic job completes what a crash interrupted.
 */

/** Completed entries are removed after this time, with one write for all entries of a document. */
const pullAfterMs = 25;
/** Pauses between attempts to insert the records of a document. */
const insertPausesMs = [0, 50, 250];
/**
 * Younger entries still belong to the process that wrote them and may be withdrawn before the periodic job inserts
 * them.
 */
const sweptAfterMs = 5000;

/** A record that is not in its collection yet. */
interface RecordEntry {
  /** `collection/id of the record`. */
  id: string;
  collection: string;
  record: { _id: number };
  /** Time of the write in milliseconds. */
  at: number;
}

/** An event that is not published yet. */
interface EventEntry {
  /** `event/id of the event`. */
  id: string;
  event: EventRecord;
  at: number;
}

/** An idempotent task for the document. */
interface DutyEntry {
  id: string;
  /** The name given to {@link Journal.defineDuty}. */
  duty: string;
  at: number;
}

export type JournalEntry = RecordEntry | EventEntry | DutyEntry;

/** A document that holds a journal. */
export interface Journaled {
  journal?: JournalEntry[];
}

/** Mongoose plugin for the schema of such a collection. */
export function journaled(schema: Schema): void {
  schema.add({ journal: { type: [Object], default: undefined, select: false, passes: true } });
  // For the periodic job alone; sparse, so it contains only the few documents with entries.
  schema.index({ 'journal.id': 1 }, { sparse: true });
}

export const entryFor = <T extends { _id: number }>(collection: string, record: T): JournalEntry => ({
  id: `${collection}/${record._id}`,
  collection,
  record,
  at: Date.now(),
});

const entryOf = (event: EventRecord): JournalEntry => ({ id: `event/${event.id}`, event, at: Date.now() });

type Duty = (model: Model<JournaledDocument>, documentId: number) => Promise<void>;
type JournaledDocument = Journaled & { _id: number };

/**
 * Writes changes together with their records and events. Documents are written as given, without Mongoose's defaults.
 */
@Injectable()
export class Journal implements BeforeApplicationShutdown {
  private readonly log = new Logger(Journal.name);
  private readonly pending = new Set<Promise<unknown>>();
  private readonly pulls = new Map<string, Pull>();
  private readonly duties = new Map<string, Duty>();
  /** Entries that the last run found: clocks of other machines cannot be trusted. */
  private found: ReadonlySet<string> = new Set();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly publisher: EventPublisher,
    private readonly shared: SharedWrites,
  ) {}

  /** Inserts a document with its entries. @throws MongoServerError 11000 on a duplicate */
  async insert<T extends JournaledDocument>(
    model: Model<T>,
    document: T,
    records: JournalEntry[],
    ...events: EventRecord[]
  ): Promise<T> {
    const entries = [...records, ...events.map(entryOf)];
    const written = entries.length > 0 ? { ...document, journal: entries } : document;
    await this.shared.insert(model.collection.collectionName, written);
    await this.settle(model, document._id, entries);
    return document;
  }

  /** Updates one document with the entries of the change. @returns the updated document, null if none matched */
  async update<T extends JournaledDocument>(
    model: Model<T>,
    filter: { _id: number } & { [K in keyof T]?: unknown },
    update: UpdateQuery<T>,
    records: JournalEntry[],
    ...events: EventRecord[]
  ): Promise<T | null> {
    const entries = [...records, ...events.map(entryOf)];
    const options = { returnDocument: 'after', projection: { journal: 0, outbox: 0 }, ignoreUndefined: true } as const;
    const updated = await collectionOf(model).findOneAndUpdate(filter, withEntries(update, entries), options);
    if (updated) await this.settle(model, filter._id, entries);
    return updated;
  }

  /**
   * The same without returning the document. Calls of one event loop turn become one command. @returns whether the
   * document exists
   */
  async touch<T extends JournaledDocument>(
    model: Model<T>,
    documentId: number,
    update: UpdateQuery<T>,
    records: JournalEntry[],
    ...events: EventRecord[]
  ): Promise<boolean> {
    const entries = [...records, ...events.map(entryOf)];
    const name = model.collection.collectionName;
    const isThere = await this.shared.update(name, documentId, withEntries(update, entries));
    if (isThere) await this.settle(model, documentId, entries);
    return isThere;
  }

  /**
   * Inserts the journal of a document into its collections; resolves when the records can be read there. Once the
   * document is written nothing of this throws: the periodic job retries.
   */
  private async settle<T>(model: Model<T>, documentId: number, entries: JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const isInserted = await this.insertRecords(entries);
    const isSent = isInserted && (await this.publish(entries.filter((entry) => 'event' in entry)));
    const settled = entries.filter((entry) => ('event' in entry ? isSent : isInserted));
    const ids = settled.map(({ id }) => id);
    this.pullLater(model as unknown as Model<JournaledDocument>, documentId, ids);
  }

  /** @returns false if some could not be inserted; the periodic job retries */
  private async insertRecords(entries: JournalEntry[]): Promise<boolean> {
    for (const [collection, records] of groupByCollection(entries)) {
      try {
        await this.insertPatiently(collection, records);
      } catch (error) {
        this.log.warn(`records could not be inserted into ${collection}, the periodic job will retry: ${error}`);
        return false;
      }
    }
    return true;
  }

  /** The caller reads them next, and most database errors are transient. */
  private async insertPatiently(collection: string, records: { _id: number }[]): Promise<void> {
    for (const pauseMs of insertPausesMs) {
      try {
        return await this.shared.insertOnce(collection, records);
      } catch {
        await wait(pauseMs);
      }
    }
    return this.shared.insertOnce(collection, records);
  }

  /** Published before the caller gets an answer. @returns false if publishing failed; the periodic job retries */
  private async publish(events: EventEntry[]): Promise<boolean> {
    try {
      for (const { event } of events) await this.publisher.publish(event);
      return true;
    } catch (error) {
      this.log.warn(`events could not be published, the periodic job will retry: ${error}`);
      return false;
    }
  }

  private pullLater(model: Model<JournaledDocument>, documentId: number, entryIds: string[]): void {
    if (entryIds.length === 0) return;
    const name = model.collection.collectionName;
    const waiting = this.pulls.get(name);
    const pull = waiting ?? { model, documentIds: new Set(), entryIds: [] };
    pull.documentIds.add(documentId);
    pull.entryIds.push(...entryIds);
    if (waiting) return;
    this.pulls.set(name, pull);
    const done = new Promise((resolve) => setTimeout(resolve, pullAfterMs))
      .then(() => this.pull(name))
      .finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  private async pull(name: string): Promise<void> {
    const pull = this.pulls.get(name);
    this.pulls.delete(name);
    if (!pull) return;
    const { model, documentIds, entryIds } = pull;
    try {
      await collectionOf(model).updateMany(
        { _id: { $in: [...documentIds] } },
        { $pull: { journal: { id: { $in: entryIds } } } },
      );
    } catch (error) {
      this.log.warn(`the periodic job will clear ${entryIds.join(', ')}: ${error}`);
    }
  }

  /** Records of a collection that are still in a document's journal; most of them were inserted already. */
  async listHeld<R, T extends JournaledDocument = JournaledDocument>(
    model: Model<T>,
    documentId: number,
    collection: string,
  ): Promise<R[]> {
    const holder = await collectionOf(model).findOne({ _id: documentId }, { projection: { journal: 1 } });
    const entries: JournalEntry[] = holder?.journal ?? [];
    return entries.flatMap((entry) =>
      'record' in entry && entry.collection === collection ? [entry.record as R] : [],
    );
  }

  /**
   * Called before a record is deleted: removes its journal entry, so that it is not inserted again, and stores the task
   * that follows the deletion.
   * @returns that task, for {@link doDuty}
   */
  async release<T extends JournaledDocument>(
    model: Model<T>,
    documentId: number,
    collection: string,
    id: number,
    duty: string,
  ): Promise<DutyEntry> {
    const entry: DutyEntry = { id: `duty/${randomUUID()}`, duty, at: Date.now() };
    const changes = [{ $push: { journal: entry } }, { $pull: { journal: { id: `${collection}/${id}` } } }];
    for (const change of changes) await collectionOf(model).updateOne({ _id: documentId }, change);
    return entry;
  }

  /**
   * Runs the task that {@link release} stored. On failure the periodic job retries, because the deletion itself is
   * done.
   */
  async doDuty<T extends JournaledDocument>(model: Model<T>, documentId: number, entry: DutyEntry): Promise<void> {
    const journaled = model as unknown as Model<JournaledDocument>;
    try {
      await this.doDuties(journaled, documentId, [entry]);
      this.pullLater(journaled, documentId, [entry.id]);
    } catch (error) {
      this.log.warn(`the periodic job will ${entry.duty}: ${error}`);
    }
  }

  /** Registers the handler of a task. */
  defineDuty(name: string, duty: Duty): void {
    this.duties.set(name, duty);
  }

  /** Completes entries of processes that ended before they could. */
  @PeriodicJob('journal', { everySeconds: 10 })
  async recover(signal?: AbortSignal): Promise<void> {
    const found = new Set<string>();
    const bring = (model: Model<JournaledDocument>) => async (holder: JournaledDocument) => {
      const { _id, journal = [] } = holder;
      for (const { id } of journal) found.add(id);
      const old = journal.filter(({ id, at = 0 }) => this.found.has(id) || at < Date.now() - sweptAfterMs);
      await this.doDuties(model, _id, old);
      await this.settle(model, _id, old);
    };
    try {
      await eachLeftOver(this.connection, heldIn(this.connection, 'journal', bring), signal);
    } finally {
      this.found = found;
    }
  }

  private async doDuties(model: Model<JournaledDocument>, documentId: number, entries: JournalEntry[]): Promise<void> {
    const names = new Set(entries.flatMap((entry) => ('duty' in entry ? entry.duty : [])));
    for (const name of names) await this.duties.get(name)?.(model, documentId);
  }

  /** Before the shutdown closes the connection to MongoDB. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}

const withEntries = <T>(update: UpdateQuery<T>, entries: JournalEntry[]) =>
  entries.length > 0 ? { ...update, $push: { ...update.$push, journal: { $each: entries } } } : update;

/** Entries that are to be removed from documents of one collection. */
interface Pull {
  model: Model<JournaledDocument>;
  documentIds: Set<number>;
  entryIds: string[];
}

function groupByCollection(entries: JournalEntry[]): Map<string, { _id: number }[]> {
  const byCollection = new Map<string, { _id: number }[]>();
  for (const entry of entries) {
    if (!('record' in entry)) continue;
    byCollection.set(entry.collection, [...(byCollection.get(entry.collection) ?? []), entry.record]);
  }
  return byCollection;
}
