import { MongoError } from '../errors';
import type { Index } from '../index/index-spec';
import type { Matcher } from '../query/compile-filter';
import type { Collection } from '../storage/collection';
import {
  CollectionScan,
  DistinctScan,
  IndexScan,
  MergeScan,
  PASSED_OVER,
  PointScan,
  type Scan,
  UnionScan,
} from '../storage/scan';
import type { Store } from '../storage/store';
import type { AccessPath, IndexPath } from './access-path';
import type { Budget } from './budget';
import { Sorter } from './sorter';

/** A found document. */
export interface Found {
  recordId: number;
  bytes: Buffer;
}

/** Returned instead of a document when others should get their turn first. */
export const PAUSE = Symbol('pause');

/** The clock is read only sometimes: it costs as much as reading a key. */
const STEPS_PER_LOOK = 32;

const NOTHING: IterableIterator<number> = [].values();

/** A planned query. */
export interface Plan {
  collection: Collection;
  path: AccessPath;
  /** Absent when the path alone is exact. */
  matcher: Matcher | undefined;
  /** Absent if there is nothing to sort, or the path is ordered. */
  sorter: Sorter | undefined;
  skip: number;
  /** Documents at most; Infinity for all. */
  limit: number;
}

/** Creates the result of a stored document, whose bytes are only valid during the call. */
export type Shape = (bytes: Buffer) => Buffer;

/**
 * Runs a plan one document at a time. Between two calls it may be paused, also for minutes, and has no open snapshot
 * then.
 */
export class Execution {
  docsExamined = 0;
  returned = 0;
  private readonly scan: Scan | undefined;
  private toSkip: number;
  private steps = 0;
  private sorting: Generator<void, IterableIterator<number>> | undefined;
  private sorted: IterableIterator<number> | undefined;
  /** Others may have run since the last call. */
  private isPaused = true;

  constructor(
    store: Store,
    readonly plan: Plan,
    public budget: Budget,
    private readonly shape?: Shape,
  ) {
    this.scan = openScan(store, plan.collection, plan.path);
    this.toSkip = plan.skip;
  }

  get keysExamined(): number {
    return this.scan?.keysExamined ?? 0;
  }

  /** @returns undefined at the end */
  next(): Found | typeof PAUSE | undefined {
    try {
      return this.nextWanted();
    } catch (error) {
      // An error in a match ends the query, and must not leave a cursor of the store open.
      this.close();
      throw error;
    }
  }

  private nextWanted(): Found | typeof PAUSE | undefined {
    if (this.returned >= this.plan.limit) return undefined;
    for (;;) {
      const found = this.plan.sorter ? this.nextSorted(this.plan.sorter) : this.advance();
      if (found === undefined || found === PAUSE) return found;
      if (this.toSkip > 0) this.toSkip--;
      else {
        this.returned++;
        found.bytes = this.kept(found.bytes);
        return found;
      }
    }
  }

  pause(): void {
    this.isPaused = true;
    this.scan?.pause();
  }

  /** @throws 175 (QueryPlanKilled) if an index that it reads was dropped, since the rest would be incomplete */
  private resume(): void {
    this.isPaused = false;
    const gone = indexesOf(this.plan.path).find(({ isDropped }) => isDropped);
    if (gone) throw new MongoError(175, `index '${gone.name}' dropped during the operation`);
  }

  /** Releases its resources; call it when leaving before the end. */
  close(): void {
    this.pause();
    this.sorting?.return(NOTHING);
  }

  private kept(bytes: Buffer): Buffer {
    if (this.plan.sorter || this.scan instanceof CollectionScan) return this.shape ? this.shape(bytes) : bytes;
    // In the shared buffer of the store the next read would overwrite it.
    const lent = bytes.subarray(0, bytes.length);
    return this.shape ? this.shape(lent) : Buffer.from(lent);
  }

  /**
   * Moves on to the next match, for counts: neither skips, limits nor sorts. The bytes are only valid until the next
   * call.
   */
  advance(): Found | typeof PAUSE | undefined {
    const { collection, matcher } = this.plan;
    if (this.isPaused) this.resume();
    for (;;) {
      if (++this.steps % STEPS_PER_LOOK === 0 && this.budget.isSliceOver) {
        this.pause();
        return PAUSE;
      }
      const recordId = this.scan?.next();
      if (recordId === undefined) return undefined;
      if (recordId === PASSED_OVER) continue;
      const bytes = this.scan instanceof CollectionScan ? this.scan.bytes : collection.peek(recordId);
      if (bytes === undefined) continue;
      this.docsExamined++;
      if (matcher === undefined || matcher.matchesBytes(bytes)) return { recordId, bytes };
    }
  }

  private nextSorted(sorter: Sorter): Found | typeof PAUSE | undefined {
    if (!this.sorted) {
      this.sorting ??= this.sort(sorter);
      const { done, value } = this.sorting.next();
      if (!done) return PAUSE;
      this.sorted = value;
    }
    for (;;) {
      // If many are skipped, nothing else would check the time.
      if (++this.steps % STEPS_PER_LOOK === 0 && this.budget.isSliceOver) return PAUSE;
      const { done, value } = this.sorted.next();
      if (done) return undefined;
      const bytes = this.plan.collection.read(value);
      // Deleted since it was sorted.
      if (bytes !== undefined) return { recordId: value, bytes };
    }
  }

  /**
   * Sorts in steps, with a pause after each slice. Sort keys are dropped afterwards: a cursor may hold the ids for
   * minutes.
   */
  private *sort(sorter: Sorter): Generator<void, IterableIterator<number>> {
    try {
      for (let match = this.advance(); match !== undefined; match = this.advance()) {
        if (match === PAUSE) yield;
        else {
          sorter.add(match.recordId, match.bytes);
          if (sorter.isDue) yield* this.inSlices(sorter.settle());
        }
      }
      const recordIds: number[] = [];
      for (const recordId of sorter.sorted()) {
        if (recordIds.push(recordId) % STEPS_PER_LOOK === 0 && this.budget.isSliceOver) yield;
      }
      return Float64Array.from(recordIds).values();
    } finally {
      sorter.close();
    }
  }

  private *inSlices(steps: Iterable<void>): Generator<void> {
    for (const _ of steps) {
      if (!this.budget.isSliceOver) continue;
      this.pause();
      yield;
    }
  }
}

function openScan(store: Store, collection: Collection, path: AccessPath): Scan | undefined {
  switch (path.stage) {
    case 'EOF':
      return undefined;
    case 'COLLSCAN':
      return new CollectionScan(store, collection.id, path.reverse);
    case 'OR':
      return new UnionScan(path.branches.map((branch) => openIndexScan(store, branch)));
    case 'IXSCAN':
      return openIndexScan(store, path);
  }
}

function indexesOf(path: AccessPath): Index[] {
  if (path.stage === 'OR') return path.branches.map(({ index }) => index);
  return path.stage === 'IXSCAN' ? [path.index] : [];
}

export function openIndexScan(store: Store, path: IndexPath): Scan {
  const { index, points, reverse, distinctField } = path;
  if (distinctField !== undefined) return new DistinctScan(store, path, distinctField);
  if (path.isMerged) return new MergeScan(store, path);
  if (!points) return new IndexScan(store, path);
  return new PointScan(store, index, reverse ? [...points].reverse() : points);
}
