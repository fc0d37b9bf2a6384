import { eachAlone } from '@moothall/background';
import type { Connection, Model } from 'mongoose';
import { collectionNamed } from './collection-of';

/*
 * Periodic jobs rarely find work. When each collection was read with a separate command, these were half of the
 * commands of an idle server.
 */

/** The query of a periodic job in one collection. */
export interface LeftOver<T = object> {
  collection: string;
  /** Uses an index; absent if every document of the collection counts. */
  filter?: object;
  /** An expression for the fields of such a document; without one, all of them. */
  read?: object;
  /** Handles one document. */
  work(document: T): Promise<unknown>;
}

/**
 * Documents of models with a list of that name, found by the sparse index of the ids in it.
 * @param workOf gets the id and the list of such a document, and nothing else is read
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
 * Handles all found documents in this order, like {@link eachAlone}. One command queries all collections; a missing
 * collection is empty.
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
  /** The index of the part that found it. */
  part: number;
  document: object;
}

const numbered = (part: LeftOver, parts: readonly LeftOver[]): object[] => [
  { $match: part.filter ?? {} },
  { $replaceWith: { part: { $literal: parts.indexOf(part) }, document: part.read ?? '$$ROOT' } },
];
