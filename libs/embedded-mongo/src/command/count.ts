import { Int32, Long } from 'bson';
import type { Engine } from '../engine/engine';
import type { IndexPath, ScanRange } from '../plan/access-path';
import type { Budget } from '../plan/budget';
import { Execution, openIndexScan, PAUSE } from '../plan/execution';
import { type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import type { Collection } from '../storage/collection';
import { PASSED_OVER, withPrefix } from '../storage/scan';
import { namespaceOf, optionalDocument, optionalInteger } from './arguments';
import type { Command } from './command';
import { hintOf } from './find';

/** @see https://www.mongodb.com/docs/manual/reference/command/count/ */
export const count: Command = {
  name: 'count',
  arguments: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
  async run(call) {
    const { engine, body, budget } = call;
    const namespace = namespaceOf(call);
    const collection = engine.catalog.find(namespace) ?? engine.emptyCollection(namespace);
    const skip = optionalInteger(body.skip, 'skip') ?? 0;
    const limit =
      Math.abs(optionalInteger(body.limit, 'limit', Number.MIN_SAFE_INTEGER) ?? 0) || Number.POSITIVE_INFINITY;
    const query = {
      filter: optionalDocument(body.query, 'query') ?? {},
      hint: hintOf(body.hint),
      collation: optionalDocument(body.collation, 'collation'),
    };
    const all = await countMatches(engine, collection, query, budget, skip + limit);
    const n = Math.min(Math.max(all - skip, 0), limit);
    return { n: n > 0x7fffffff ? Long.fromNumber(n) : new Int32(n), ok: 1 };
  },
};

/** Counted beyond what is asked for, so that some may go before it is counted again. */
const SPARE = 100;

/** Counts matches, up to `atMost`: from the catalog, from index entries alone, or by looking at documents. */
export async function countMatches(
  engine: Engine,
  collection: Collection,
  query: Query,
  budget: Budget,
  atMost = Number.POSITIVE_INFINITY,
): Promise<number> {
  const planned = planQuery(engine, collection, query);
  if (planned.matcher.node.kind === 'always' && query.hint === undefined) {
    return planned.matcher.node.value ? Math.min(collection.count, atMost) : 0;
  }
  return isCountedByKeys(planned)
    ? countKeys(engine, planned, budget, atMost)
    : countDocuments(engine, planned, budget, atMost);
}

/** Whether index entries answer a count, so that no document need be read. */
export function isCountedByKeys({ plan }: PlannedQuery): boolean {
  return plan.path.stage === 'IXSCAN' && plan.path.isExact;
}

async function countKeys(
  engine: Engine,
  { plan: { path } }: PlannedQuery,
  budget: Budget,
  atMost: number,
): Promise<number> {
  if (path.stage !== 'IXSCAN') return 0;
  if (!areCountsKept(path)) return scanKeys(engine, path, budget, atMost);
  let found = 0;
  for (const range of path.ranges) {
    if (found >= atMost) break;
    found += await countRange(engine, path, range, budget, atMost - found);
  }
  return Math.min(found, atMost);
}

/** Where every entry within the ranges is a document that matches. */
const areCountsKept = ({ index, points, filters, mayRepeat }: IndexPath): boolean =>
  !points && filters.length === 0 && !mayRepeat && !index.isMultikey;

/** @returns at least `atMost` where there are more */
async function countRange(
  engine: Engine,
  path: IndexPath,
  range: ScanRange,
  budget: Budget,
  atMost: number,
): Promise<number> {
  const { store } = engine;
  const { counts, id } = path.index;
  const whole = withPrefix(id, range);
  const known = counts.find(whole, atMost);
  if (known !== undefined) return known;
  // What is written but not yet on disk is not seen here, and would be missing for ever.
  const { changes } = counts;
  const { isIdle } = store.writer;
  if (isIdle) store.environment.renewReads();
  const most = atMost + SPARE;
  const found = await scanKeys(engine, { ...path, ranges: [range] }, budget, most);
  if (isIdle && counts.changes === changes) counts.keep(whole, found, found < most);
  return found;
}

async function scanKeys(engine: Engine, path: IndexPath, budget: Budget, atMost: number): Promise<number> {
  const scan = openIndexScan(engine.store, path);
  let found = 0;
  let steps = 0;
  for (let next = scan.next(); next !== undefined; next = scan.next()) {
    if (next !== PASSED_OVER && ++found >= atMost) break;
    if (++steps % 64 === 0 && budget.isSliceOver) {
      scan.pause();
      await budget.nextSlice();
    }
  }
  scan.pause();
  return found;
}

async function countDocuments(engine: Engine, { plan }: PlannedQuery, budget: Budget, atMost: number): Promise<number> {
  const execution = new Execution(engine.store, plan, budget);
  let found = 0;
  while (found < atMost) {
    const next = execution.advance();
    if (next === undefined) break;
    if (next === PAUSE) await budget.nextSlice();
    else found++;
  }
  execution.pause();
  return found;
}
