import type { Engine } from '../engine/engine';
import { Budget } from '../plan/budget';
import { Execution, type Found, PAUSE } from '../plan/execution';
import { type PlannedQuery, planQuery, type Query } from '../plan/plan-query';
import type { Matcher } from '../query/compile-filter';
import type { Collection } from '../storage/collection';
import type { WriteStep } from './write-step';

/** Documents that a write tests inside its own transaction; beyond, it searches before, with pauses. */
const SEARCH_IN_TRANSACTION = 1000;
const TURN_MS = 8;
/** How often a search is repeated if others changed its results meanwhile. */
const MAX_SEARCHES = 50;

export interface Changes {
  engine: Engine;
  collection: Collection;
  query: Query;
  budget: Budget;
  /** Changes one document within a transaction; the matcher has the position of its matching array element. */
  change(found: Found, matcher: Matcher): void;
  /** Called in the transaction without a match, for upserts. */
  nothingFound?(planned: PlannedQuery): void;
  /** Called at the end with the number of found documents. */
  done(found: number): void;
}

/**
 * Changes the first document that matches, or all of them. If an index finds them, search and change are one
 * transaction; if not, results of a search are tested again before they are changed.
 */
export class ChangeMatches implements WriteStep {
  constructor(private readonly changes: Changes) {}

  tryAtOnce(): boolean {
    const found = changeInTransaction(this.changes, SEARCH_IN_TRANSACTION);
    if (found === undefined) return false;
    this.changes.done(found);
    return true;
  }

  async takeTurns(): Promise<void> {
    const { query, done } = this.changes;
    done(query.limit === 1 ? await changeFirst(this.changes) : await changeAll(this.changes));
  }
}

/** @returns undefined if the search would exceed its steps */
function changeInTransaction(changes: Changes, steps: number): number | undefined {
  const { engine, collection, query } = changes;
  collection.requirePresent();
  const planned = planQuery(engine, collection, query);
  const found = findWithin(new Execution(engine.store, planned.plan, new StepBudget(steps)));
  if (found === undefined) return undefined;
  for (const each of found) changes.change(each, planned.matcher);
  if (found.length === 0) changes.nothingFound?.(planned);
  return found.length;
}

/** All results, copied: changed documents may move in the index that is being read. */
function findWithin(execution: Execution): Found[] | undefined {
  const all: Found[] = [];
  try {
    for (let found = execution.next(); found !== undefined; found = execution.next()) {
      if (found === PAUSE) return undefined;
      all.push(found);
    }
    return all;
  } finally {
    execution.close();
  }
}

async function changeFirst(changes: Changes): Promise<number> {
  const { engine, collection, query, budget } = changes;
  const { writer } = engine.store;
  for (let attempt = 0; attempt < MAX_SEARCHES; attempt++) {
    const planned = planQuery(engine, collection, query);
    const [recordId] = await search(engine, planned, budget);
    const found = await writer.run(() => {
      collection.requirePresent();
      if (recordId !== undefined) return changeIfMatching(changes, planned, recordId) ? 1 : undefined;
      changes.nothingFound?.(planned);
      return 0;
    });
    if (found !== undefined) return found;
  }
  return (await writer.run(() => changeInTransaction(changes, Number.POSITIVE_INFINITY)))!;
}

async function changeAll(changes: Changes): Promise<number> {
  const { engine, collection, query, budget } = changes;
  const planned = planQuery(engine, collection, query);
  const recordIds = await search(engine, planned, budget);
  let count = 0;
  for (let at = 0; at < recordIds.length; ) {
    const from = at;
    at = await engine.store.writer.run(() => {
      collection.requirePresent();
      const end = performance.now() + TURN_MS;
      let next = from;
      do {
        if (changeIfMatching(changes, planned, recordIds[next]!)) count++;
        next++;
      } while (next < recordIds.length && performance.now() < end);
      return next;
    });
  }
  if (count === 0) {
    await engine.store.writer.run(() => {
      collection.requirePresent();
      changes.nothingFound?.(planned);
    });
  }
  return count;
}

function changeIfMatching(changes: Changes, { matcher }: PlannedQuery, recordId: number): boolean {
  const bytes = changes.collection.read(recordId);
  if (bytes === undefined || !matcher.matchesBytes(bytes)) return false;
  changes.change({ recordId, bytes }, matcher);
  return true;
}

async function search(engine: Engine, { plan }: PlannedQuery, budget: Budget): Promise<number[]> {
  budget.beginSlice();
  const execution = new Execution(engine.store, plan, budget);
  const recordIds: number[] = [];
  try {
    for (let found = execution.next(); found !== undefined; found = execution.next()) {
      if (found === PAUSE) await budget.nextSlice();
      else recordIds.push(found.recordId);
    }
    return recordIds;
  } finally {
    execution.close();
  }
}

/** A limit of clock checks instead of time: a transaction must not pause. */
class StepBudget extends Budget {
  constructor(private looks: number) {
    super();
    this.looks = Math.ceil(looks / 32);
  }

  override get isSliceOver(): boolean {
    return this.looks-- <= 0;
  }
}
