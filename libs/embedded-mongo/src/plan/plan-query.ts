import { type Collation, parseCollation } from '../bson/collation';
import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine/engine';
import { parseSort, type SortKey } from '../language/sort';
import type { Matcher } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import type { Collection } from '../storage/collection';
import { PASSED_OVER } from '../storage/scan';
import type { IndexPath } from './access-path';
import { choosePath } from './choose-path';
import { distinctPath } from './distinct-path';
import { openIndexScan, type Plan } from './execution';
import { type IdLookup, idLookup } from './id-lookup';
import { OnDemandMatcher } from './on-demand-matcher';
import { Sorter } from './sorter';

/** A query as commands state it. */
export interface Query {
  filter: Document;
  sort?: Document | undefined;
  skip?: number | undefined;
  /** 0 or absent for all. */
  limit?: number | undefined;
  /** An index by name or key, or `{$natural: ±1}`. */
  hint?: Value | undefined;
  collation?: Document | undefined;
  variables?: Record<string, Value> | undefined;
  /** Whether a sort may use the disk beyond its memory; true by default. */
  allowDiskUse?: boolean | undefined;
  /** Only the number of matches is needed: for all documents the catalog has it, and nothing is read. */
  isCount?: boolean | undefined;
  /** Only the values of this field are needed: one document for each is enough. */
  distinct?: string | undefined;
}

export interface PlannedQuery {
  plan: Plan;
  /** The filter, also if the plan does not need it: updates use it to find the matching array element. */
  matcher: Matcher;
  collation: Collation | undefined;
}

/** Checks a query and chooses its plan. Throws on an invalid filter, sort or hint, whatever the collection contains. */
export function planQuery(engine: Engine, collection: Collection, query: Query): PlannedQuery {
  const collation = collationOf(query, collection);
  if (!query.sort && query.hint === undefined && !collation) {
    const lookup = idLookup(collection, query.filter);
    if (lookup) return planLookup(collection, query, lookup);
  }
  const node = parseFilter(query.filter);
  // The natural order is requested as a sort, but it is an access path.
  const natural = query.sort?.$natural === undefined ? undefined : query.sort;
  const sort = query.sort && !natural ? parseSort(query.sort) : [];
  const options = { collation, variables: query.variables };
  const matcher = new OnDemandMatcher(node, options);
  const skip = query.skip ?? 0;
  const limit = query.limit || Number.POSITIVE_INFINITY;
  const trials = {
    countKeys: (candidate: IndexPath, atMost: number) => countKeys(engine, candidate, atMost),
    findsAllWithin: (candidate: IndexPath, keys: number) =>
      findsWithin(engine, { collection, path: candidate, matcher }, skip + limit, keys),
  };
  const distinct =
    query.distinct !== undefined && query.hint === undefined
      ? distinctPath(collection, node, query.distinct, collation)
      : undefined;
  const path = distinct ?? choosePath(collection, node, { sort, collation }, trials, natural ?? query.hint);
  const isPlainRead = node.kind === 'always' && sort.length === 0;
  const isKnown = query.isCount && isPlainRead && query.hint === undefined;
  if (path.stage === 'COLLSCAN' && !isKnown) engine.scanLog.report(collection, query, isPlainRead);
  const isExact = path.stage === 'IXSCAN' && path.isExact;
  const isSorted = sort.length === 0 || path.stage === 'EOF' || (path.stage === 'IXSCAN' && path.isSorted);
  return {
    plan: {
      collection,
      path,
      matcher: isExact ? undefined : matcher.compile(),
      sorter: isSorted ? undefined : sorterFor(engine, query, sort, collation, skip + limit),
      skip,
      limit,
    },
    matcher,
    collation,
  };
}

function sorterFor(
  engine: Engine,
  { allowDiskUse = true }: Query,
  sort: SortKey[],
  collation: Collation | undefined,
  wanted: number,
): Sorter {
  const { sortMemoryBytes: memoryBytes } = engine.options;
  return new Sorter(sort, collation, {
    wanted,
    memoryBytes,
    openScratch: allowDiskUse ? engine.openScratch : undefined,
  });
}

function planLookup(collection: Collection, query: Query, { node, path }: IdLookup): PlannedQuery {
  const { skip = 0, limit = 0, variables } = query;
  return {
    plan: { collection, path, matcher: undefined, sorter: undefined, skip, limit: limit || Number.POSITIVE_INFINITY },
    matcher: new OnDemandMatcher(node, { variables }),
    collation: undefined,
  };
}

/** The command's collation, else that of the collection. `{locale: 'simple'}` overrides the latter. */
export function collationOf(query: Query, collection: Collection): Collation | undefined {
  return parseCollation(query.collation ?? (collection.options.collation as Document | undefined));
}

function countKeys(engine: Engine, path: IndexPath, atMost: number): number {
  // Without filters, which may skip any number of keys.
  const scan = openIndexScan(engine.store, { ...path, filters: [] });
  let count = 0;
  while (count < atMost && scan.next() !== undefined) count++;
  scan.pause();
  return count;
}

/** Whether the requested number of documents, or all, are found within that number of keys. */
function findsWithin(
  engine: Engine,
  { collection, path, matcher }: { collection: Collection; path: IndexPath; matcher: Matcher },
  wanted: number,
  keys: number,
): boolean {
  if (wanted > keys) return false;
  const scan = openIndexScan(engine.store, path);
  try {
    let found = 0;
    for (let read = 0; read < keys && found < wanted; read++) {
      const recordId = scan.next();
      if (recordId === undefined) return true;
      const bytes = recordId === PASSED_OVER ? undefined : collection.peek(recordId);
      if (bytes && (path.isExact || matcher.matchesBytes(bytes))) found++;
    }
    return found >= wanted;
  } catch {
    // An expression fails on a document that another path may not meet.
    return false;
  } finally {
    scan.pause();
  }
}
