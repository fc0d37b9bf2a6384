import { batched } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
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

interface UpdateOfMany {
  filter: object;
  update: object;
}

type Batched<Item, Result> = (item: Item) => Promise<Result>;

/** Writes of many requests that go to the database together: one command for each collection and turn. */
@Injectable()
export class SharedWrites {
  private readonly updates = new Map<string, Batched<Update, boolean>>();
  private readonly updatesOfMany = new Map<string, Batched<UpdateOfMany, undefined>>();
  private readonly inserts = new Map<string, Batched<object, undefined>>();
  private readonly insertsOnce = new Map<string, Batched<Numbered[], undefined>>();

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Updates a document. @returns whether it exists @throws MongoServerError the failure of this update */
  async update(collection: string, id: number, update: object): Promise<boolean> {
    return batchedFor(this.updates, collection, (all) => this.updateAll(collection, all))({ id, update });
  }

  /**
   * Updates all documents that match a filter, in no order among updates of one turn. @throws MongoServerError the
   * failure of this update
   */
  async updateMany(collection: string, filter: object, update: object): Promise<void> {
    const work = (all: UpdateOfMany[]) => this.updateEach(collection, all);
    return batchedFor(this.updatesOfMany, collection, work)({ filter, update });
  }

  /** Inserts a document, without undefined values. @throws MongoServerError 11000 on a duplicate */
  async insert(collection: string, document: object): Promise<void> {
    return batchedFor(this.inserts, collection, (all) => this.insertEach(collection, all))(document);
  }

  /** Inserts records; an existing one was inserted by an earlier try. */
  async insertOnce(collection: string, records: Numbered[]): Promise<void> {
    return batchedFor(this.insertsOnce, collection, (all) => this.insertAll(collection, all))(records);
  }

  private async updateAll(name: string, updates: Update[]): Promise<(boolean | Error)[]> {
    const collection = collectionNamed<Numbered>(this.connection, name);
    const statements = updates.map(({ id: _id, update }) => ({ updateOne: { filter: { _id }, update } }));
    const { matchedCount, failures } = await writeMany(collection, statements);
    if (matchedCount === updates.length) return updates.map(() => true);
    // The reply does not name missing ones. Ids are never reused: a document that exists now existed before.
    const ids = updates.map(({ id }) => id);
    const found = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const present = new Set(found.map(({ _id }) => _id));
    return ids.map((id, at) => failures.get(at) ?? present.has(id));
  }

  private async updateEach(name: string, updates: UpdateOfMany[]): Promise<(undefined | Error)[]> {
    const statements = updates.map((updateMany) => ({ updateMany }));
    const { failures } = await writeMany(collectionNamed(this.connection, name), statements);
    return updates.map((_, at) => failures.get(at));
  }

  private async insertEach(name: string, documents: object[]): Promise<(undefined | Error)[]> {
    const options = { ignoreUndefined: true };
    const failures = await insertEach(collectionNamed(this.connection, name), documents, options);
    return documents.map((_, at) => failures.get(at));
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
