import { type Collation, parseCollation } from '../bson/collation';
import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine';
import { compileFilter, type Matcher } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import type { Collection } from '../storage/collection';
import type { AccessPath, IndexPath } from './access-path';
import { choosePath } from './choose-path';
import { openIndexScan, type Plan } from './execution';
import { parseSort, SortOrder } from './sort-key';
import { Sorter } from './sorter';

/** A query as commands state it. */
export interface Query {
  filter: Document;
  sort?: Document;
  skip?: number;
  limit?: number;
  hint?: Value;
  collation?: Document;
  variables?: Record<string, Value>;
}

export interface PlannedQuery {
  plan: Plan;
  /** The filter, also where the plan does not need it: updates ask it which array element matched. */
  matcher: Matcher;
  collation: Collation | undefined;
}

/** Checks a query and chooses its plan. Throws on a bad filter, sort or hint, whatever the collection holds. */
export function planQuery(engine: Engine, collection: Collection, query: Query): PlannedQuery {
  const collation =
    parseCollation(query.collation) ?? parseCollation(collection.options.collation as Document | undefined);
  const matcher = compileFilter(parseFilter(query.filter), { collation, variables: query.variables });
  const sort = parseSort(query.sort);
  const wish = { sort, collation };
  const path = choosePath(
    collection,
    matcher.node,
    wish,
    (candidate, atMost) => countKeys(engine, candidate, atMost),
    query.hint,
  );
  const skip = query.skip ?? 0;
  const limit = query.limit || Number.POSITIVE_INFINITY;
  const isSorted = sort.length === 0 || sort[0]!.path === '$natural' || (path.stage === 'IXSCAN' && path.isSorted);
  const memory = engine.options.sortMemoryBytes;
  return {
    plan: {
      collection,
      path,
      matcher: path.stage === 'IXSCAN' && path.isExact ? undefined : matcher,
      sorter:
        isSorted || path.stage === 'EOF' ? undefined : new Sorter(new SortOrder(sort, collation), skip + limit, memory),
      skip,
      limit,
    },
    matcher,
    collation,
  };
}

function countKeys(engine: Engine, path: IndexPath, atMost: number): number {
  const scan = openIndexScan(engine.store, path);
  let count = 0;
  while (count < atMost && scan.next() !== undefined) count++;
  scan.pause();
  return count;
}

/** What a path is called in logs and explain. */
export function stageName(path: AccessPath): string {
  return path.stage === 'IXSCAN' ? `IXSCAN ${path.index.name}` : path.stage;
}
