import type { Connection, Model, mongo } from 'mongoose';

/**
 * The methods of the driver for a collection, typed by its documents. Filters and updates are plain objects, since
 * the driver's own types support neither operators on fields of a type parameter nor numeric ids.
 */
export interface Collection<T> extends BulkWritable {
  readonly name: string;
  aggregate<R extends object>(pipeline: readonly object[]): AsyncIterable<R> & { toArray(): Promise<R[]> };
  find(filter: object, options?: mongo.FindOptions): mongo.FindCursor<T>;
  findOne(filter: object, options?: mongo.FindOptions): Promise<T | null>;
  findOneAndUpdate(filter: object, update: object, options?: mongo.FindOneAndUpdateOptions): Promise<T | null>;
  countDocuments(filter: object, options?: mongo.CountDocumentsOptions): Promise<number>;
  insertOne(document: object, options?: mongo.InsertOneOptions): Promise<unknown>;
  deleteOne(filter: object): Promise<mongo.DeleteResult>;
  updateOne(filter: object, update: object): Promise<mongo.UpdateResult>;
  updateMany(filter: object, update: object): Promise<mongo.UpdateResult>;
}

export type Statement =
  | { insertOne: { document: object } }
  | { updateOne: { filter: object; update: object; upsert?: boolean } }
  | { updateMany: { filter: object; update: object } }
  | { deleteOne: { filter: object } };

export interface BulkWritable {
  bulkWrite(statements: readonly Statement[], options: mongo.BulkWriteOptions): Promise<{ matchedCount: number }>;
}

/*
 * Without Mongoose, which may cost as much as a command: nothing is cast, dated or validated. Only here are types of
 * database writes asserted (apps/standalone/test/architecture.spec.ts).
 */

export const collectionOf = <T>({ collection }: Model<T>): Collection<T> => collection as never;

export const collectionNamed = <T>(connection: Connection, name: string): Collection<T> =>
  connection.collection(name) as never;
