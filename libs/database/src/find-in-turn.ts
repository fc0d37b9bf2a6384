import { batched } from '@moothall/background';
import { currentTask, type Task, withinTask } from '@moothall/tracing';
import type { Connection, Model } from 'mongoose';
import { type Collection, collectionOf } from './collection-of';
import { mostAtOnce, readOnce } from './read-once';

/** Queries that become one command. */
const mostJoined = 10;
/** A query by more values of a field is a command of its own. */
const mostValues = 200;

export interface Query {
  filter: object;
  projection?: Record<string, 0 | 1>;
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  /** Stages of an aggregation that follow, such as `$group`. */
  stages?: readonly object[];
  /** Whether the result is `[{ n }]`, the number of documents, or empty if there are none. */
  isCount?: boolean;
  /** Whether it may find many documents. It is then a command of its own, as one by very many values is. */
  isLarge?: boolean;
}

interface Asked {
  collection: Collection<object>;
  /** Of the caller, in a traced request. */
  task: Task | undefined;
  /** Is called at the end of the turn. */
  queriesOf: () => Query[];
}
type Placed = Query & Pick<Asked, 'collection' | 'task'>;
type Outcome = object[] | Error;

const readers = new WeakMap<Connection, (asked: Asked) => Promise<object[]>>();

/**
 * Finds documents by one or more queries, in any order. All queries of one turn of the event loop become one command,
 * also those of several collections, because a command costs more than its result. Nothing is cached. The command is in
 * the trace of its first query, and the queries of one task stay together. So a trace never shows more commands than
 * its task would need alone.
 */
export function findInTurn<T>(model: Model<T>, queriesOf: () => Query[]): Promise<T[]> {
  const connection = model.db;
  let read = readers.get(connection);
  if (!read) {
    read = batched((asked: Asked[]) => readAll(connection, asked));
    readers.set(connection, read);
  }
  const collection = collectionOf(model) as Collection<object>;
  return read({ collection, task: currentTask(), queriesOf }) as Promise<T[]>;
}

/** Counts documents by one query of the turn, up to a limit if there is one. */
export async function countInTurn<T>(model: Model<T>, filter: object, limit?: number): Promise<number> {
  const query = { filter, isCount: true, ...(limit !== undefined && { limit }) };
  const [found] = (await findInTurn(model, () => [query])) as unknown as { n: number }[];
  return found?.n ?? 0;
}

async function readAll(connection: Connection, asked: Asked[]): Promise<Outcome[]> {
  const queries = asked.map(({ collection, task, queriesOf }) =>
    queriesOf().map((query) => ({ ...query, collection, task })),
  );
  const all = queries.flat();
  const [small, large] = partition(all, (query) => !query.isLarge && !hasManyValues(query));
  const groups = [...large.map((query) => [query]), ...groupsOf(byTask(small), mostJoined)];
  const outcomes = new Map<Placed, Outcome>();
  await Promise.all(
    groups.map(async (group) => {
      const found = await withinTaskOf(group, () => findTogether(connection, group)).catch(asError);
      for (const [at, query] of group.entries())
        outcomes.set(query, found instanceof Error ? found : (found[at] ?? []));
    }),
  );
  return queries.map((own) => joined(own.map((query) => outcomes.get(query) ?? [])));
}

const hasManyValues = ({ filter }: Query): boolean =>
  Object.values(filter).some((condition) => ((condition as { $in?: unknown[] } | null)?.$in?.length ?? 0) > mostValues);

function partition<Item>(items: Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** In the order in which the tasks came. */
function byTask(queries: Placed[]): Placed[] {
  const tasks = new Set(queries.map(({ task }) => task));
  return tasks.size < 2 ? queries : [...tasks].flatMap((task) => queries.filter((query) => query.task === task));
}

const withinTaskOf = <T>([first]: Placed[], work: () => T): T => (first?.task ? withinTask(first.task, work) : work());

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
    ...numbered(first, 0),
    ...others.map((query, at) => ({
      $unionWith: { coll: query.collection.name, pipeline: numbered(query, at + 1) },
    })),
  ];
  const { name } = first.collection;
  return readOnce(db, name, { aggregate: name, pipeline, cursor: { batchSize: mostAtOnce + 1 } });
}

const pipelineOf = ({ filter, projection = {}, sort, skip = 0, limit, isCount, stages = [] }: Query): object[] => [
  { $match: filter },
  ...(sort ? [{ $sort: sort }] : []),
  ...(skip > 0 ? [{ $skip: skip }] : []),
  ...(limit === undefined ? [] : [{ $limit: limit }]),
  ...(isCount ? [{ $group: { _id: 1, n: { $sum: 1 } } }] : []),
  ...(Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
  ...stages,
];

/** Each document comes with the number of its query. */
const numbered = (query: Query, of: number): object[] => [
  ...pipelineOf(query),
  { $replaceWith: { of: { $literal: of }, document: '$$ROOT' } },
];

async function find(query: Placed): Promise<object[]> {
  const { collection, filter, isCount, stages, task: _, isLarge: __, ...options } = query;
  if (isCount) return [{ n: await collection.countDocuments(filter, options) }];
  return stages ? collection.aggregate(pipelineOf(query)).toArray() : collection.find(filter, options).toArray();
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const joined = (outcomes: Outcome[]): Outcome =>
  outcomes.find((outcome) => outcome instanceof Error) ?? (outcomes as object[][]).flat();

const groupsOf = <Item>(items: Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
