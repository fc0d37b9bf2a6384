import { batched } from '@moothall/background';
import type { Connection, Model } from 'mongoose';
import { type Collection, collectionOf } from './collection-of';
import { mostAtOnce, readOnce } from './read-once';

/** Queries that become one command. */
const mostJoined = 10;

export interface Query {
  filter: object;
  projection?: Record<string, 0 | 1>;
  /** Whether it may find many documents. It is then a command of its own. */
  isLarge?: boolean;
}

interface Asked {
  collection: Collection<object>;
  /** Is called at the end of the turn. */
  queriesOf: () => Query[];
}
type Placed = Query & Pick<Asked, 'collection'>;
type Outcome = object[] | Error;

const readers = new WeakMap<Connection, (asked: Asked) => Promise<object[]>>();

/**
 * Finds documents by one or more queries, in any order. All queries of one turn of the event loop become one command,
 * also those of several collections, because a command costs more than its result. Nothing is cached.
 */
export function findInTurn<T>(model: Model<T>, queriesOf: () => Query[]): Promise<T[]> {
  const connection = model.db;
  let read = readers.get(connection);
  if (!read) {
    read = batched((asked: Asked[]) => readAll(connection, asked));
    readers.set(connection, read);
  }
  return read({ collection: collectionOf(model) as Collection<object>, queriesOf }) as Promise<T[]>;
}

async function readAll(connection: Connection, asked: Asked[]): Promise<Outcome[]> {
  const queries = asked.map(({ collection, queriesOf }) => queriesOf().map((query) => ({ ...query, collection })));
  const all = queries.flat();
  const small = all.filter(({ isLarge }) => !isLarge);
  const groups = [...all.filter(({ isLarge }) => isLarge).map((query) => [query]), ...groupsOf(small, mostJoined)];
  const outcomes = new Map<Placed, Outcome>();
  await Promise.all(
    groups.map(async (group) => {
      const found = await findTogether(connection, group).catch(asError);
      for (const [at, query] of group.entries())
        outcomes.set(query, found instanceof Error ? found : (found[at] ?? []));
    }),
  );
  return queries.map((own) => joined(own.map((query) => outcomes.get(query) ?? [])));
}

async function findTogether(connection: Connection, queries: Placed[]): Promise<Outcome[]> {
  const rows = queries.length > 1 ? await readUnion(connection, queries) : undefined;
  if (!rows) return Promise.all(queries.map((query) => find(query).catch(asError)));
  const found = queries.map((): object[] => []);
  for (const { of, document } of rows) found[of]?.push(document);
  return found;
}

async function readUnion({ db }: Connection, [first, ...others]: Placed[]) {
  if (!db || !first) return undefined;
  const pipeline = [
    ...stagesOf(first, 0),
    ...others.map((query, at) => ({
      $unionWith: { coll: query.collection.name, pipeline: stagesOf(query, at + 1) },
    })),
  ];
  const { name } = first.collection;
  return readOnce(db, name, { aggregate: name, pipeline, cursor: { batchSize: mostAtOnce + 1 } });
}

/** Each document comes with the number of its query. */
const stagesOf = ({ filter, projection = {} }: Query, of: number): object[] => [
  { $match: filter },
  ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
  { $replaceWith: { of: { $literal: of }, document: '$$ROOT' } },
];

const find = async ({ collection, filter, projection }: Placed): Promise<object[]> =>
  collection.find(filter, projection && { projection }).toArray();

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const joined = (outcomes: Outcome[]): Outcome =>
  outcomes.find((outcome) => outcome instanceof Error) ?? (outcomes as object[][]).flat();

const groupsOf = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
