import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import type { Index } from '../index/index-spec';
import type { FilterNode } from '../query/filter-node';
import type { Collection } from '../storage/collection';
import type { AccessPath, IndexPath } from './access-path';
import { holdsAllMatches } from './implies';
import { indexPath, type Wish } from './index-path';
import { type Conjunction, conjunctionOf } from './predicates';

/** Keys that are counted to tell apart indexes that look equally good. */
const TRIAL_KEYS = 100;

export type CountKeys = (path: IndexPath, atMost: number) => number;

/**
 * Chooses how to find what a filter matches.
 * @param countKeys used when several indexes promise the same
 * @param hint the caller's choice: an index by name or key, or `{$natural: ±1}`
 * @throws BadValue (2) when the hint names no index
 */
export function choosePath(
  collection: Collection,
  filter: FilterNode,
  wish: Wish,
  countKeys: CountKeys,
  hint?: Value,
): AccessPath {
  if (collection.isAbsent) return { stage: 'EOF' };
  const natural = naturalDirection(hint);
  if (natural !== undefined) return { stage: 'COLLSCAN', reverse: natural < 0 };
  const index = hint === undefined ? undefined : hinted(collection, hint);
  const conjunction = conjunctionOf(filter);
  if (conjunction.isNever) return { stage: 'EOF' };
  const path = index
    ? indexPath(index, conjunction, { ...wish, isForced: true })!
    : chooseFreely(collection, filter, conjunction, wish, countKeys);
  return isOfNothing(path) ? { stage: 'EOF' } : path;
}

/** Whether no key can satisfy all conditions, as with two values asked of one field that is no array. */
function isOfNothing(path: AccessPath): boolean {
  return path.stage === 'IXSCAN' && (path.points ?? path.ranges).length === 0;
}

function chooseFreely(
  collection: Collection,
  filter: FilterNode,
  conjunction: Conjunction,
  wish: Wish,
  countKeys: CountKeys,
): AccessPath {
  const byId = wish.sort.length === 0 ? indexPath(collection.primaryIndex, conjunction, wish) : undefined;
  if (byId?.points && byId.isExact) return byId;
  const usable = collection.indexes.filter(
    (index) => index.record.ready && !index.isHidden && holdsAllMatches(index, filter),
  );
  return (
    best(usable, conjunction, wish, countKeys) ??
    unionOf(collection, conjunction, wish, countKeys) ?? { stage: 'COLLSCAN', reverse: false }
  );
}

function naturalDirection(hint: Value): number | undefined {
  const direction = (hint as Document | null | undefined)?.$natural;
  return direction === undefined ? undefined : Number(direction);
}

function best(usable: Index[], conjunction: Conjunction, wish: Wish, countKeys: CountKeys): IndexPath | undefined {
  let leaders: IndexPath[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (const index of usable) {
    const path = indexPath(index, conjunction, wish);
    if (!path) continue;
    const score = scoreOf(path, wish);
    if (score > highest) leaders = [];
    if (score >= highest) leaders.push(path);
    highest = Math.max(score, highest);
  }
  if (leaders.length < 2) return leaders[0];
  const keys = new Map(leaders.map((path) => [path, countKeys(path, TRIAL_KEYS)]));
  const isBetter = (a: IndexPath, b: IndexPath): boolean =>
    keys.get(a) === keys.get(b) ? a.filters.length > b.filters.length : keys.get(a)! < keys.get(b)!;
  return leaders.reduce((a, b) => (isBetter(b, a) ? b : a));
}

/** How much of the index is narrowed, and whether it saves the sort. */
function scoreOf(path: IndexPath, wish: Wish): number {
  if (path.points?.length === 1) return 1000;
  let score = wish.sort.length > 0 && path.isSorted ? 5 : 0;
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
  wish: Wish,
  countKeys: CountKeys,
): AccessPath | undefined {
  const unsorted = { ...wish, sort: [] };
  for (const branches of alternatives) {
    const paths = branches.map((branch) => {
      const usable = collection.indexes.filter(
        (index) => index.record.ready && !index.isHidden && holdsAllMatches(index, branch),
      );
      return best(usable, conjunctionOf(branch), unsorted, countKeys);
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
