import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Index } from '../index/index-spec';
import type { FilterNode } from '../query/filter-node';
import type { Collection } from '../storage/collection';
import type { AccessPath, IndexPath } from './access-path';
import { holdsAllMatches } from './implies';
import { indexPath, type WantedOrder } from './index-path';
import { type Conjunction, conjunctionOf } from './predicates';

/** The rank of a path that reads one key. */
const ONE_KEY = 1000;
/** Keys that are counted to choose between equally ranked indexes. */
const TRIAL_KEYS = 100;
/** Fewer are read and sorted as fast as an order is tried. */
const LEAST_SORTED = 1_000;

/** Facts that are found by reading. */
export interface Trials {
  /** How many keys a path reads, counted no further than that. */
  countKeys(path: IndexPath, atMost: number): number;
  /** Whether an ordered path finds all requested results within that number of keys. */
  findsAllWithin(path: IndexPath, keys: number): boolean;
}

/**
 * Chooses how to find the matches of a filter.
 * @param trials used if several indexes rank the same, or one is more selective and the other ordered
 * @param hint the caller's choice: an index by name or key, or `{$natural: ±1}`
 * @throws BadValue (2) if the hint names no index
 */
export function choosePath(
  collection: Collection,
  filter: FilterNode,
  wanted: WantedOrder,
  trials: Trials,
  hint?: Value,
): AccessPath {
  if (collection.isAbsent) return { stage: 'EOF' };
  const natural = naturalDirection(hint);
  if (natural !== undefined) return { stage: 'COLLSCAN', reverse: natural < 0 };
  const index = hint === undefined ? undefined : hinted(collection, hint);
  const conjunction = conjunctionOf(filter);
  if (conjunction.isNever) return { stage: 'EOF' };
  const path = index
    ? indexPath(index, conjunction, { ...wanted, isForced: true })!
    : chooseFreely(collection, filter, conjunction, wanted, trials);
  return isOfNothing(path) ? { stage: 'EOF' } : path;
}

/** Whether no key can satisfy all conditions, as with two values of one field that is no array. */
function isOfNothing(path: AccessPath): boolean {
  return path.stage === 'IXSCAN' && (path.points ?? path.ranges).length === 0;
}

function chooseFreely(
  collection: Collection,
  filter: FilterNode,
  conjunction: Conjunction,
  wanted: WantedOrder,
  trials: Trials,
): AccessPath {
  const byId = wanted.sort.length === 0 ? indexPath(collection.primaryIndex, conjunction, wanted) : undefined;
  if (byId?.points && byId.isExact) return byId;
  return (
    chooseAmong(usableIndexes(collection, filter, conjunction, wanted), conjunction, wanted, trials) ??
    unionOf(collection, conjunction, wanted, trials) ?? { stage: 'COLLSCAN', reverse: false }
  );
}

/** Those that hold all matches, and begin with a field that a condition narrows or that the results are sorted by. */
function usableIndexes(
  collection: Collection,
  filter: FilterNode,
  { predicates }: Conjunction,
  { sort }: WantedOrder,
): Index[] {
  const leading = new Set(predicates.map(({ path }) => path));
  if (sort.length > 0) leading.add(sort[0]!.path);
  return collection.indexes.filter(
    (index) => leading.has(index.fields[0]!) && index.record.ready && !index.isHidden && holdsAllMatches(index, filter),
  );
}

function naturalDirection(hint: Value): number | undefined {
  const direction = (hint as Document | null | undefined)?.$natural;
  return direction === undefined ? undefined : Number(direction);
}

function chooseAmong(
  usable: Index[],
  conjunction: Conjunction,
  wanted: WantedOrder,
  trials: Trials,
): IndexPath | undefined {
  const paths = usable.flatMap((index) => indexPath(index, conjunction, wanted) ?? []);
  const narrowest = best(paths, wanted, trials);
  if (!narrowest || narrowest.isSorted || wanted.sort.length === 0) return narrowest;
  const ordered = best(
    paths.filter(({ isSorted }) => isSorted),
    wanted,
    trials,
  );
  // A sort reads everything first, for a page as for the whole.
  const isTried = ordered && readsMany(narrowest, trials);
  return isTried && trials.findsAllWithin(ordered, LEAST_SORTED) ? ordered : narrowest;
}

/** Each of many values is looked up, whether it exists or not. */
function readsMany(path: IndexPath, { countKeys }: Trials): boolean {
  const values = path.bounds.reduce((product, { points, ranges }) => product * (points.length + ranges.length), 1);
  return values >= LEAST_SORTED || countKeys(path, LEAST_SORTED) >= LEAST_SORTED;
}

function best(paths: IndexPath[], wanted: WantedOrder, { countKeys }: Trials): IndexPath | undefined {
  let leaders: IndexPath[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (const path of paths) {
    const score = scoreOf(path, wanted);
    if (score > highest) leaders = [];
    if (score >= highest) leaders.push(path);
    highest = Math.max(score, highest);
  }
  // Each key of a unique index finds one document at most, however few fields the index has.
  if (highest < ONE_KEY) leaders.push(...paths.filter((path) => path.points && !leaders.includes(path)));
  if (leaders.length < 2) return leaders[0];
  const areAlike = leaders.every((path) => isWhole(path.index) && isBoundAlike(path, leaders[0]!));
  const trialKeys = Math.max(TRIAL_KEYS, ...leaders.map(({ points }) => Math.min(points?.length ?? 0, LEAST_SORTED)));
  const keys = new Map(leaders.map((path) => [path, areAlike ? 0 : countKeys(path, trialKeys)]));
  const isBetter = (a: IndexPath, b: IndexPath): boolean =>
    keys.get(a) === keys.get(b) ? a.filters.length > b.filters.length : keys.get(a)! < keys.get(b)!;
  return leaders.reduce((a, b) => (isBetter(b, a) ? b : a));
}

/** Whether it has one entry for each document. */
const isWhole = ({ isMultikey, isSparse, partialFilter }: Index): boolean =>
  !isMultikey && !isSparse && partialFilter === undefined;

/** With the same values of the same fields: then the number of keys is equal, and a trial is not needed. */
function isBoundAlike(path: IndexPath, other: IndexPath): boolean {
  return (
    path.bounds.length === other.bounds.length &&
    path.bounds.every((bound, at) => bound === other.bounds[at] && path.index.fields[at] === other.index.fields[at])
  );
}

/** How much of the index is narrowed, and whether it saves the sort. */
function scoreOf(path: IndexPath, wanted: WantedOrder): number {
  if (path.points?.length === 1) return ONE_KEY;
  let score = wanted.sort.length > 0 && path.isSorted ? 5 : 0;
  for (const { points, ranges } of path.bounds) {
    if (ranges.length === 0) score += points.length === 1 ? 10 : 8;
    else score += ranges.some(({ lower, upper }) => lower && upper) ? 6 : 4;
  }
  return score;
}

/** Alternatives that each have an index are read one after the other. */
function unionOf(
  collection: Collection,
  { alternatives }: Conjunction,
  wanted: WantedOrder,
  trials: Trials,
): AccessPath | undefined {
  const unsorted = { ...wanted, sort: [] };
  for (const branches of alternatives) {
    const paths = branches.map((branch) => {
      const conditions = conjunctionOf(branch);
      return chooseAmong(usableIndexes(collection, branch, conditions, unsorted), conditions, unsorted, trials);
    });
    if (paths.every((path) => path !== undefined)) return { stage: 'OR', branches: paths };
  }
  return undefined;
}

function hinted(collection: Collection, hint: Value): Index {
  const found = collection.indexes.find((index) =>
    typeof hint === 'string' ? index.name === hint : sameKey(index, hint as Document),
  );
  if (!found) {
    throw new MongoError(
      'BadValue',
      `error processing query: ns=${collection.namespace}: planner returned error :: caused by :: hint provided does not correspond to an existing index`,
    );
  }
  return found;
}

function sameKey(index: Index, key: Document): boolean {
  const fields = Object.entries(key);
  return (
    fields.length === index.fields.length &&
    fields.every(
      ([field, direction], at) => field === index.fields[at] && Number(direction) < 0 === index.directions[at]! < 0,
    )
  );
}
