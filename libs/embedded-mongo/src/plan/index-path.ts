import type { Collation } from '../bson/collation';
import { type Bound, encodeKey, keyRange } from '../bson/index-key';
import { Rank, rankOf, type Value } from '../bson/value';
import { ValueSet } from '../bson/value-set';
import type { Index } from '../index/index-spec';
import type { SortKey } from '../language/sort';
import type { KeyFilter } from '../storage/scan';
import type { IndexPath, Intervals, ScanRange } from './access-path';
import type { Conjunction, Predicate } from './predicates';
import { indexOrder } from './sort-order';

/** Limit of the ranges of one scan; beyond, further fields are left to the filter. */
const MAX_RANGES = 50_000;

/** The requirements of a query, besides its filter. */
export interface WantedOrder {
  sort: SortKey[];
  collation: Collation | undefined;
  /** The caller's hint names this index: it is used even if it is not selective. */
  isForced?: boolean;
}

/** Computes the positions of ten thousand values only for the chosen index. */
function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** How an index would serve a query, or undefined when it is of no use. */
export function indexPath(index: Index, conjunction: Conjunction, wanted: WantedOrder): IndexPath | undefined {
  if (!wanted.isForced && !canCompare(index, conjunction, wanted.collation)) return undefined;
  const { bounds, used } = boundsFor(index, conjunction.predicates, wanted.collation);
  const order = indexOrder(index, bounds, wanted);
  const givesOrder = wanted.sort.length > 0 && order !== undefined;
  if (bounds.length === 0 && !givesOrder && !wanted.isForced) return undefined;
  // Points that are looked up one by one have only their own order.
  const points = givesOrder ? undefined : wholeKeys(index, bounds);
  const filters = points ? [] : keyFilters(index, conjunction, wanted.collation, used);
  const isExact =
    conjunction.isComplete &&
    !index.record.truncated &&
    conjunction.predicates.every((each) => each.isExact && used.has(each)) &&
    conjunction.exclusions.every((each) => used.has(each));
  const ranges = onDemand(() => {
    if (points) return [];
    return order?.isMerged ? rangesOf(index, bounds, order.leading) : disjoint(rangesOf(index, bounds, 0));
  });
  return {
    stage: 'IXSCAN',
    index,
    bounds,
    get ranges() {
      return ranges();
    },
    points,
    reverse: order?.direction === -1,
    filters,
    mayRepeat: index.record.multikey.some((is, field) => is && !isOnePoint(bounds[field])),
    isExact,
    isSorted: order !== undefined,
    isMerged: order?.isMerged === true,
  };
}

/** Strings of a query are found in an index only if both have the same collation. */
function canCompare(index: Index, { predicates }: Conjunction, collation: Collation | undefined): boolean {
  if (sameCollation(index.collation, collation)) return true;
  const paths = new Set(index.fields);
  return predicates.some(({ path, intervals }) => paths.has(path) && !holdsText(intervals));
}

const sameCollation = (a: Collation | undefined, b: Collation | undefined): boolean =>
  a === b || JSON.stringify(a?.spec) === JSON.stringify(b?.spec);

const textRanks = new Set<Rank>([Rank.String, Rank.Object, Rank.Array]);
const isText = (value: Value): boolean => textRanks.has(rankOf(value));

function holdsText({ points, ranges }: Intervals): boolean {
  return points.some(isText) || ranges.some(({ lower, upper }) => isText((lower ?? upper)!.value));
}

function boundsFor(
  index: Index,
  predicates: Predicate[],
  collation: Collation | undefined,
): { bounds: Intervals[]; used: Set<Predicate> } {
  const used = new Set<Predicate>();
  const bounds: Intervals[] = [];
  const alike = sameCollation(index.collation, collation);
  let combinations = 1;
  let arrayIsBound = false;
  for (let field = 0; field < index.fields.length; field++) {
    // Two fields of one array match in one element only if a filter requires that; otherwise only the first is bound.
    const isMultikey = index.record.multikey[field]!;
    if (isMultikey && arrayIsBound) break;
    const usable = predicates.filter(
      (predicate) => predicate.path === index.fields[field] && canBound(index, predicate, alike),
    );
    const intervals = combined(usable, isMultikey, index.collation, used);
    if (!intervals) break;
    combinations *= intervals.points.length + intervals.ranges.length;
    if (combinations > MAX_RANGES) break;
    bounds.push(intervals);
    arrayIsBound ||= isMultikey;
    if (intervals.ranges.length > 0) break;
  }
  return { bounds, used };
}

/**
 * The conditions on unbound fields that entries can decide. Fields with arrays are excluded: another entry may
 * differ.
 */
function keyFilters(
  index: Index,
  { predicates, exclusions }: Conjunction,
  collation: Collation | undefined,
  used: Set<Predicate>,
): KeyFilter[] {
  if (index.record.truncated) return [];
  const alike = sameCollation(index.collation, collation);
  const filters: KeyFilter[] = [];
  for (const [field, path] of index.fields.entries()) {
    if (index.record.multikey[field]) continue;
    for (const isWithin of [true, false]) {
      for (const predicate of isWithin ? predicates : exclusions) {
        if (predicate.path !== path || used.has(predicate) || !canBound(index, predicate, alike)) continue;
        used.add(predicate);
        const ranges = onDemand(() => fieldRanges(index, field, predicate.intervals));
        filters.push({
          field,
          isWithin,
          get ranges() {
            return ranges();
          },
        });
      }
    }
  }
  return filters;
}

function fieldRanges(index: Index, field: number, { points, ranges }: Intervals): ScanRange[] {
  const directions = [index.directions[field]!];
  const options = { collation: index.collation };
  return disjoint([
    ...points.map((point) => ({ ...keyRange([point], undefined, directions, options), leadingBytes: 0 })),
    ...ranges.map((bound) => ({ ...keyRange([], bound, directions, options), leadingBytes: 0 })),
  ]);
}

/** Whether the intervals have the same meaning in the index and in the query. */
function canBound(index: Index, { intervals }: Predicate, alike: boolean): boolean {
  return (alike || !holdsText(intervals)) && !(index.collation && intervals.ranges.length > 0);
}

export const isOnePoint = (bound: Intervals | undefined): boolean =>
  bound !== undefined && bound.points.length === 1 && bound.ranges.length === 0;

/** The narrowest intervals of all these conditions; with arrays, those of one of them. */
function combined(
  predicates: Predicate[],
  isMultikey: boolean,
  collation: Collation | undefined,
  used: Set<Predicate>,
): Intervals | undefined {
  if (predicates.length === 0) return undefined;
  const byPoints = predicates.filter(({ intervals }) => intervals.ranges.length === 0);
  if (byPoints.length > 0) {
    const fewest = byPoints.reduce((a, b) => (b.intervals.points.length < a.intervals.points.length ? b : a));
    used.add(fewest);
    if (isMultikey || byPoints.length === 1) return fewest.intervals;
    for (const each of byPoints) used.add(each);
    const allowed = byPoints.map(({ intervals }) => new ValueSet(intervals.points, collation));
    return { points: fewest.intervals.points.filter((point) => allowed.every((set) => set.has(point))), ranges: [] };
  }
  const first = predicates[0]!;
  used.add(first);
  const partner = predicates.find((other) => complements(first, other, isMultikey));
  if (!partner) return first.intervals;
  used.add(partner);
  return { points: [], ranges: [{ ...first.intervals.ranges[0], ...partner.intervals.ranges[0] }] };
}

/** Whether two one-sided ranges are the two sides of one. Two elements of an array may satisfy one side each. */
function complements(a: Predicate, b: Predicate, isMultikey: boolean): boolean {
  if (isMultikey && (a.element === undefined || a.element !== b.element || a.element.kind !== 'elemMatchValue'))
    return false;
  if (a.intervals.points.length + b.intervals.points.length > 0) return false;
  const [one] = a.intervals.ranges;
  const [other] = b.intervals.ranges;
  const lower = one?.lower ?? other?.lower;
  const upper = one?.upper ?? other?.upper;
  const sides = [one?.lower, one?.upper, other?.lower, other?.upper].filter(Boolean).length;
  return sides === 2 && lower !== undefined && upper !== undefined && rankOf(lower.value) === rankOf(upper.value);
}

/** One range per combination of points; `leading` of the fields do not count for the order. */
function rangesOf(index: Index, bounds: Intervals[], leading: number): ScanRange[] {
  const { directions } = index;
  const options = { collation: index.collation };
  const rangeOf = (prefix: Value[], bound?: Bound): ScanRange => ({
    ...keyRange(prefix, bound, directions, options),
    leadingBytes: leading === 0 ? 0 : encodeKey(prefix.slice(0, leading), directions, options).bytes.length,
  });
  let prefixes: Value[][] = [[]];
  for (const { points, ranges } of bounds) {
    if (ranges.length > 0) {
      return prefixes.flatMap((prefix) => [
        ...points.map((point) => rangeOf([...prefix, point])),
        ...ranges.map((bound) => rangeOf(prefix, bound)),
      ]);
    }
    prefixes = prefixes.flatMap((prefix) => points.map((point) => [...prefix, point]));
  }
  return prefixes.map((prefix) => rangeOf(prefix));
}

/** Sorted and without overlaps, so that no entry is found twice and the order holds across ranges. */
function disjoint(ranges: ScanRange[]): ScanRange[] {
  ranges.sort((a, b) => Buffer.compare(a.start, b.start));
  const merged: ScanRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (!last || Buffer.compare(range.start, last.end) > 0 || Buffer.compare(range.start, last.end) === 0)
      merged.push(range);
    else if (Buffer.compare(range.end, last.end) > 0) last.end = range.end;
  }
  return merged.filter(({ start, end }) => Buffer.compare(start, end) < 0);
}

/** The keys to look up if every field of a unique index is given. */
function wholeKeys(index: Index, bounds: Intervals[]): Buffer[] | undefined {
  if (!index.isUnique || bounds.length !== index.fields.length) return undefined;
  if (bounds.some(({ ranges }) => ranges.length > 0)) return undefined;
  let rows: Value[][] = [[]];
  for (const { points } of bounds) rows = rows.flatMap((row) => points.map((point) => [...row, point]));
  const keys = rows.map((row) => encodeKey(row, index.directions, { collation: index.collation }).bytes);
  if (keys.length === 1) return keys;
  const unique = new Map(keys.map((key) => [key.toString('latin1'), key]));
  return [...unique.values()].sort(Buffer.compare);
}
