import { batched } from '@moothall/background';
import type { Connection } from 'mongoose';
import { collectionNamed } from './collection-of';
import { isDuplicateKey } from './duplicate-key';
import { insertEach, writeMany } from './write-many';

interface Numbered {
  _id: number;
}

interface Update {
  id: number;
  update: object;
}

type Batched<Item, Result> = (item: Item) => Promise<Result>;

/** Writes of many requests that go to the database together: one command for each collection and turn. */
export class SharedWrites {
  private readonly updates = new Map<string, Batched<Update, boolean>>();
  private readonly inserts = new Map<string, Batched<Numbered[], undefined>>();

  constructor(private readonly connection: Connection) {}

  /** Updates a document. @returns whether there is one @throws MongoServerError what this update failed for */
  async update(collection: string, id: number, update: object): Promise<boolean> {
    return batchedFor(this.updates, collection, (all) => this.updateAll(collection, all))({ id, update });
  }

  /** Inserts records; one that is there already was inserted by an earlier try. */
  async insertOnce(collection: string, records: Numbered[]): Promise<void> {
    return batchedFor(this.inserts, collection, (all) => this.insertAll(collection, all))(records);
  }

  private async updateAll(name: string, updates: Update[]): Promise<(boolean | Error)[]> {
    const collection = collectionNamed<Numbered>(this.connection, name);
    const statements = updates.map(({ id: _id, update }) => ({ updateOne: { filter: { _id }, update } }));
    const { matchedCount, failures } = await writeMany(collection, statements);
    if (matchedCount === updates.length) return updates.map(() => true);
    // Which ones were not there the reply does not tell. Ids are never used again: what is there now was there before.
    const ids = updates.map(({ id }) => id);
    const found = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const present = new Set(found.map(({ _id }) => _id));
    return ids.map((id, at) => failures.get(at) ?? present.has(id));
  }

  private async insertAll(name: string, records: Numbered[][]): Promise<(undefined | Error)[]> {
    const failures = await insertEach(collectionNamed<Numbered>(this.connection, name), records.flat());
    let first = 0;
    return records.map(({ length }) => {
      const places = Array.from({ length }, (_, at) => first + at);
      first += length;
      return places.map((at) => failures.get(at)).find((failure) => failure && !isDuplicateKey(failure, '_id'));
    });
  }
}

function batchedFor<Item, Result>(
  known: Map<string, Batched<Item, Result>>,
  collection: string,
  work: (items: Item[]) => Promise<(Result | Error)[]>,
): Batched<Item, Result> {
  const call = known.get(collection) ?? batched(work);
  known.set(collection, call);
  return call;
}
