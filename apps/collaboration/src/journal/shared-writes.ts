import { OneTurn } from '@moothall/database';
import { type Connection, mongo } from 'mongoose';

const duplicateKey = 11000;

interface Numbered {
  _id: number;
}

interface Update {
  id: number;
  update: mongo.UpdateFilter<Numbered>;
}

/** Writes of many requests that go to the database together: one command for each collection and turn. */
export class SharedWrites {
  private readonly updates = new Map<string, OneTurn<Update, boolean>>();
  private readonly inserts = new Map<string, OneTurn<Numbered[], undefined>>();

  constructor(private readonly connection: Connection) {}

  /** Updates a document. @returns whether there is one @throws MongoServerError what this update failed for */
  async update(collection: string, id: number, update: mongo.UpdateFilter<Numbered>): Promise<boolean> {
    return turnsOf(this.updates, collection, (all) => this.updateAll(collection, all)).do({ id, update });
  }

  /** Inserts records; one that is there already was inserted by an earlier try. */
  async insertOnce(collection: string, records: Numbered[]): Promise<void> {
    return turnsOf(this.inserts, collection, (all) => this.insertAll(collection, all)).do(records);
  }

  private async updateAll(name: string, updates: Update[]): Promise<(boolean | Error)[]> {
    const collection = this.connection.collection<Numbered>(name);
    const statements = updates.map(({ id: _id, update }) => ({ updateOne: { filter: { _id }, update } }));
    const failed = new Map<number, Error>();
    const { matchedCount } = await collection.bulkWrite(statements, { ordered: false }).catch((error: unknown) => {
      for (const failure of failuresIn(error)) failed.set(failure.index, new mongo.MongoServerError(failure.toJSON()));
      return (error as mongo.MongoBulkWriteError).result;
    });
    if (matchedCount === updates.length) return updates.map(() => true);
    // Which ones were not there the reply does not tell. Ids are never used again: what is there now was there before.
    const ids = updates.map(({ id }) => id);
    const found = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const present = new Set(found.map(({ _id }) => _id));
    return ids.map((id, at) => failed.get(at) ?? present.has(id));
  }

  private async insertAll(name: string, records: Numbered[][]): Promise<undefined[]> {
    const collection = this.connection.collection<Numbered>(name);
    await collection.insertMany(records.flat(), { ordered: false }).catch((error: unknown) => {
      if (failuresIn(error).some(({ code }) => code !== duplicateKey)) throw error;
    });
    return records.map(() => undefined);
  }
}

/** Of single statements. @throws error where it befell the whole command, as when it is not safe on a majority */
function failuresIn(error: unknown): mongo.WriteError[] {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  return [error.writeErrors].flat();
}

function turnsOf<Item, Result>(
  turns: Map<string, OneTurn<Item, Result>>,
  collection: string,
  work: (items: Item[]) => Promise<(Result | Error)[]>,
): OneTurn<Item, Result> {
  const known = turns.get(collection) ?? new OneTurn(work);
  turns.set(collection, known);
  return known;
}
