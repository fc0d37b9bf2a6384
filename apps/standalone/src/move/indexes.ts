import type { mongo } from 'mongoose';

/** An index as `listIndexes` returns it. */
export type IndexSpec = mongo.Document & { name: string; key: object };

/** All indexes except `_id`. */
export async function indexesOf(database: mongo.Db, collection: string): Promise<IndexSpec[]> {
  const all = (await database.collection(collection).listIndexes().toArray()) as unknown as IndexSpec[];
  return all.filter(({ name }) => name !== '_id_');
}

/** Whether the server deletes documents by it: then the collections cannot be compared. */
export const removes = (index: IndexSpec): boolean => index.expireAfterSeconds !== undefined;

export async function makeIndexes(database: mongo.Db, collection: string, indexes: IndexSpec[]): Promise<void> {
  if (indexes.length > 0)
    await database.command({ createIndexes: collection, indexes, writeConcern: { w: 'majority' } });
}

/** @returns names of missing or different indexes; servers add options that were not given */
export function missingOf(wanted: readonly IndexSpec[], there: readonly IndexSpec[]): string[] {
  const named = new Map(there.map((index) => [index.name, index]));
  return wanted.filter((index) => !holds(named.get(index.name), index)).map(({ name }) => name);
}

function holds(there: unknown, wanted: unknown): boolean {
  if (wanted === false && there === undefined) return true;
  if (typeof wanted !== 'object' || wanted === null) return there === wanted;
  if (typeof there !== 'object' || there === null) return false;
  const [entries, others] = [Object.entries(wanted), there as Record<string, unknown>];
  return entries.every(([name, value]) =>
    // The order of fields is part of an index.
    name === 'key' ? JSON.stringify(value) === JSON.stringify(others.key) : holds(others[name], value),
  );
}
