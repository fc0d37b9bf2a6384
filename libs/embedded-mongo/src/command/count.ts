import { Int32, Long } from 'bson';
import type { Engine } from '../engine/engine';
import type { Budget } from '../plan/budget';
import { Execution, openIndexScan, PAUSE } from '../plan/execution';
import { type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import type { Collection } from '../storage/collection';
import { PASSED_OVER } from '../storage/scan';
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

async function countKeys(engine: Engine, { plan }: PlannedQuery, budget: Budget, atMost: number): Promise<number> {
  if (plan.path.stage !== 'IXSCAN') return 0;
  const scan = openIndexScan(engine.store, plan.path);
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
