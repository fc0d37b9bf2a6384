import { eachAlone } from '@moothall/background';
import type { Connection, Model } from 'mongoose';
import { collectionNamed } from './collection-of';

/*
 * Periodic jobs nearly always find nothing. While they read each collection with a command of
 * its own, that was half of the commands of an idle server.
 */

/** What a periodic job looks for in one collection. */
export interface LeftOver<T = object> {
  collection: string;
  /** Has an index; absent where the collection holds nothing else. */
  filter?: object;
  /** An expression for the fields of such a document; without one, all of them. */
  read?: object;
  /** What is to be done with each. */
  work(document: T): Promise<unknown>;
}

/**
 * What models hold in a list of that name, found by the sparse index of the ids in it.
 * @param workOf is given the id and the list of such a document, nothing else is read of it
 */
export const heldIn = <T>(
  { models }: Connection,
  list: keyof T & string,
  workOf: (model: Model<T>) => LeftOver<T>['work'],
): LeftOver<T>[] =>
  Object.values(models)
    .filter((model) => model.schema.path(list))
    .map((model) => ({
      collection: model.collection.collectionName,
      filter: { [`${list}.id`]: { $gt: '' } },
      read: { _id: '$_id', [list]: `$${list}` },
      work: workOf(model),
    }));

/**
 * Does the work for whatever is there, in this order, as {@link eachAlone} does. It is looked for in all of the collections
 * with one command; one that does not exist yet holds nothing.
 */
export async function eachLeftOver(
  connection: Connection,
  parts: readonly LeftOver[],
  signal?: AbortSignal,
): Promise<void> {
  const [first, ...others] = parts;
  if (!first) return;
  const unions = others.map((part) => ({ $unionWith: { coll: part.collection, pipeline: numbered(part, parts) } }));
  const pipeline = [...numbered(first, parts), ...unions];
  const found = collectionNamed(connection, first.collection).aggregate<Found>(pipeline);
  await eachAlone(found, async ({ part, document }) => parts[part]?.work(document), signal);
}

interface Found {
  /** Which of the parts found it. */
  part: number;
  document: object;
}

const numbered = (part: LeftOver, parts: readonly LeftOver[]): object[] => [
  { $match: part.filter ?? {} },
  { $replaceWith: { part: { $literal: parts.indexOf(part) }, document: part.read ?? '$$ROOT' } },
];
