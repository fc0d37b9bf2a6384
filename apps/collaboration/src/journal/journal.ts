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
 * How what a change leaves behind (label events, system notes, comments that count, events for other services) is never
 * lost nor doubled: it stands in the changed document with its id, in the same write; then records are inserted where
 * they belong, which repeats without harm, and events are published; then both are pulled out. Whatever a crash leaves
 * behind is inserted by the periodic job.
 */

/** What was brought where it belongs is pulled out together: one write for all that a document got meanwhile. */
const pullAfterMs = 25;
/** Between tries to insert what a document holds. */
const insertPausesMs = [0, 50, 250];
/** Younger ones still belong to the process that wrote them, and may be deleted again before the periodic job inserts them. */
const sweptAfterMs = 5000;

/** A record on its way to its collection. */
interface RecordEntry {
  /** `collection/id of the record`. */
  id: string;
  collection: string;
  record: { _id: number };
  /** When it was written, in milliseconds. */
  at: number;
}

/** An event on its way to those who follow. */
interface EventEntry {
  /** `event/id of the event`. */
  id: string;
  event: EventRecord;
  at: number;
}

/** An idempotent task for the document. */
interface DutyEntry {
  id: string;
  /** As {@link Journal.defineDuty} knows it. */
  duty: string;
  at: number;
}

export type JournalEntry = RecordEntry | EventEntry | DutyEntry;

/** A document whose changes leave something elsewhere. */
export interface Journaled {
  journal?: JournalEntry[];
}

/** Mongoose plugin for the schema of such a collection. */
export function journaled(schema: Schema): void {
  schema.add({ journal: { type: [Object], default: undefined, select: false, passes: true } });
  // Serves the periodic job only; sparse, so that it holds just the few documents with something left.
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

/** Writes changes together with what they leave behind. Documents are written as they are, past Mongoose's defaults. */
@Injectable()
export class Journal implements BeforeApplicationShutdown {
  private readonly log = new Logger(Journal.name);
  private readonly pending = new Set<Promise<unknown>>();
  private readonly pulls = new Map<string, Pull>();
  private readonly duties = new Map<string, Duty>();
  /** What the last turn of the periodic job found: clocks of other machines say nothing for certain. */
  private found: ReadonlySet<string> = new Set();

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly publisher: EventPublisher,
    private readonly shared: SharedWrites,
  ) {}

  /** Inserts a document with what it leaves. @throws MongoServerError 11000 on a duplicate */
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

  /** Updates one document with what the change leaves. @returns the document after it, null when none matched */
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
   * The same where nobody needs the document after it, nor depends on the one before: what comes in one turn is one
   * command. @returns whether there is such a document
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
   * Inserts the journal of a document into its collections; resolves when it can be read there. After the document is written
   * nothing of it fails any more: the periodic job inserts the rest.
   */
  private async settle<T>(model: Model<T>, documentId: number, entries: JournalEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const isInserted = await this.insertRecords(entries);
    const isSent = isInserted && (await this.publish(entries.filter((entry) => 'event' in entry)));
    const settled = entries.filter((entry) => ('event' in entry ? isSent : isInserted));
    const ids = settled.map(({ id }) => id);
    this.pullLater(model as unknown as Model<JournaledDocument>, documentId, ids);
  }

  /** @returns false when some could not be inserted; the periodic job tries again */
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

  /** The caller reads them next, and most failures of a database succeed at the second try. */
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

  /** Published before the caller gets an answer. @returns false if they could not be sent; the periodic job retries */
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

  /** Records of a collection that a document still holds; most of them were inserted already. */
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
   * Before a record is deleted: nobody shall insert it again, and what is to be done once it is gone shall not be forgotten.
   * @returns that duty, for {@link doDuty}
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

  /** Does what {@link release} has noted. Where it fails it is left to the periodic job: what it follows from is done. */
  async doDuty<T extends JournaledDocument>(model: Model<T>, documentId: number, entry: DutyEntry): Promise<void> {
    const journaled = model as unknown as Model<JournaledDocument>;
    try {
      await this.doDuties(journaled, documentId, [entry]);
      this.pullLater(journaled, documentId, [entry.id]);
    } catch (error) {
      this.log.warn(`the periodic job will ${entry.duty}: ${error}`);
    }
  }

  /** How a duty is done. */
  defineDuty(name: string, duty: Duty): void {
    this.duties.set(name, duty);
  }

  /** Inserts what an earlier process left in its documents. */
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

  /** Before the connection to MongoDB closes, which belongs to the shutdown itself. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}

const withEntries = <T>(update: UpdateQuery<T>, entries: JournalEntry[]) =>
  entries.length > 0 ? { ...update, $push: { ...update.$push, journal: { $each: entries } } } : update;

/** What waits to be pulled out of the documents of one collection. */
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
