import { Int32, Long } from 'bson';
import { encodeDocument } from '../bson/encode';
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

/** Counted beyond the request, so that some may be deleted before it is counted again. */
const SPARE = 100;

/** Counts matches, up to `atMost`: from the catalog, from index entries alone, or by looking at documents. */
export async function countMatches(
  engine: Engine,
  collection: Collection,
  query: Query,
  budget: Budget,
  atMost = Number.POSITIVE_INFINITY,
): Promise<number> {
  const known = query.hint === undefined ? collection.matchCounts.find(nameOf(query), atMost) : undefined;
  if (known !== undefined) return Math.min(known, atMost);
  const planned = planQuery(engine, collection, { ...query, isCount: true });
  if (planned.matcher.node.kind === 'always' && query.hint === undefined) {
    return planned.matcher.node.value ? Math.min(collection.count, atMost) : 0;
  }
  const { path } = planned.plan;
  return isCountedByKeys(planned) && path.stage === 'IXSCAN' && areCountsKept(path)
    ? countRanges(engine, path, budget, atMost)
    : countMatching(engine, collection, query, planned, budget, atMost);
}

/** Whether index entries answer a count without reading documents. */
export function isCountedByKeys({ plan }: PlannedQuery): boolean {
  return plan.path.stage === 'IXSCAN' && plan.path.isExact;
}

async function countRanges(engine: Engine, path: IndexPath, budget: Budget, atMost: number): Promise<number> {
  let found = 0;
  for (const range of path.ranges) {
    if (found >= atMost) break;
    found += await countRange(engine, path, range, budget, atMost - found);
  }
  return Math.min(found, atMost);
}

/** More ranges are counted together, by a scan that skips empty ones, and cached as one. */
const MOST_RANGES = 16;

/** Every entry within the ranges is a matching document. */
const areCountsKept = ({ index, points, ranges, filters, mayRepeat }: IndexPath): boolean =>
  !points && ranges.length <= MOST_RANGES && filters.length === 0 && !mayRepeat && !index.isMultikey;

/** @returns at least `atMost` if there are more */
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
  // Writes that are not yet on disk are invisible here, and would be missing forever.
  const { changes } = counts;
  const { isIdle } = store.writer;
  if (isIdle) store.environment.renewReads();
  const most = atMost + SPARE;
  const { found } = await scanKeys(engine, { ...path, ranges: [range] }, budget, most);
  if (isIdle && counts.changes === changes) counts.keep(whole, found, found < most);
  return found;
}

/** The number of matches, and of the keys, ranges or documents that were read for it. */
interface Scanned {
  found: number;
  examined: number;
}

async function scanKeys(engine: Engine, path: IndexPath, budget: Budget, atMost: number): Promise<Scanned> {
  const scan = openIndexScan(engine.store, path);
  let found = 0;
  let examined = path.ranges.length;
  for (let next = scan.next(); next !== undefined; next = scan.next()) {
    if (next !== PASSED_OVER && ++found >= atMost) break;
    if (++examined % 64 === 0 && budget.isSliceOver) {
      scan.pause();
      await budget.nextSlice();
    }
  }
  scan.pause();
  return { found, examined };
}

/** From a cached count. */
const nameOf = ({ filter, collation }: Query): string =>
  encodeDocument({ filter, collation: collation ?? null }).toString('latin1');

/** By reading keys or documents; the number of matches is then cached. */
async function countMatching(
  engine: Engine,
  { matchCounts }: Collection,
  query: Query,
  planned: PlannedQuery,
  budget: Budget,
  atMost: number,
): Promise<number> {
  // An index of the caller's hint may contain fewer documents than match.
  if (query.hint !== undefined) return (await scan(engine, planned, budget, atMost)).found;
  const { store } = engine;
  // Writes that are not yet on disk are invisible here, and would be missing forever.
  const { changes } = matchCounts;
  const { isIdle } = store.writer;
  if (isIdle) store.environment.renewReads();
  const most = atMost + SPARE;
  const { found: count, examined } = await scan(engine, planned, budget, most);
  if (isIdle && matchCounts.changes === changes)
    matchCounts.keep(nameOf(query), planned.matcher, { count, isWhole: count < most, examined });
  return Math.min(count, atMost);
}

function scan(engine: Engine, planned: PlannedQuery, budget: Budget, atMost: number): Promise<Scanned> {
  const { path } = planned.plan;
  const byKeys = isCountedByKeys(planned) && path.stage === 'IXSCAN';
  return byKeys ? scanKeys(engine, path, budget, atMost) : scanDocuments(engine, planned, budget, atMost);
}

async function scanDocuments(engine: Engine, { plan }: PlannedQuery, budget: Budget, atMost: number): Promise<Scanned> {
  const execution = new Execution(engine.store, plan, budget);
  let found = 0;
  while (found < atMost) {
    const next = execution.advance();
    if (next === undefined) break;
    if (next === PAUSE) await budget.nextSlice();
    else found++;
  }
  execution.pause();
  return { found, examined: execution.docsExamined };
}
