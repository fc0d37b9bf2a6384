import type { Direction } from '../bson/index-key';
import type { Index } from '../index/index-spec';
import type { Intervals } from './access-path';
import type { WantedOrder } from './index-path';

/** How an index provides the requested order. */
export interface IndexOrder {
  direction: Direction;
  /** Fields before the first sorted one. If they have several points, the scans of these are merged. */
  leading: number;
  isMerged: boolean;
}

/** Limit of merged scans; each has a cursor in the index. */
const MAX_MERGED = 200;
const ANY_ORDER: IndexOrder = { direction: 1, leading: 0, isMerged: false };

/** @returns undefined if the index does not provide the order */
export function indexOrder(
  index: Index,
  bounds: Intervals[],
  { sort, collation }: WantedOrder,
): IndexOrder | undefined {
  if (sort.length === 0) return ANY_ORDER;
  // Truncated keys and folded strings are found, but not ordered.
  if (index.record.truncated || index.collation || collation) return undefined;
  let direction: Direction | undefined;
  let leading: number | undefined;
  let field = 0;
  for (const { path, direction: wanted } of sort) {
    while (index.fields[field] !== path && isPassed(bounds, field, leading === undefined)) field++;
    if (index.fields[field] !== path) {
      if (isConstant(index, bounds, path)) continue;
      return undefined;
    }
    if (!ordersBy(index, bounds, field)) return undefined;
    leading ??= field;
    const scan = (wanted * index.directions[field]!) as Direction;
    if (!isSinglePoint(bounds, field)) {
      if (direction !== undefined && scan !== direction) return undefined;
      direction = scan;
    }
    field++;
  }
  const scans = combinations(bounds, leading ?? 0);
  if (scans > MAX_MERGED) return undefined;
  return { direction: direction ?? 1, leading: leading ?? 0, isMerged: scans > 1 };
}

/** Before the first field of the order, fields may have several points: each has a separate ordered scan. */
function isPassed(bounds: Intervals[], field: number, isLeading: boolean): boolean {
  return isSinglePoint(bounds, field) || (isLeading && bounds[field]?.ranges.length === 0);
}

function combinations(bounds: Intervals[], fields: number): number {
  return bounds.slice(0, fields).reduce((product, { points }) => product * points.length, 1);
}

function isSinglePoint(bounds: Intervals[], field: number): boolean {
  return bounds[field]?.points.length === 1 && bounds[field].ranges.length === 0;
}

/** Whether all found documents have the same value there, so that sorting by it changes nothing. */
function isConstant(index: Index, bounds: Intervals[], path: string): boolean {
  const field = index.fields.indexOf(path);
  return field >= 0 && isSinglePoint(bounds, field) && !index.record.multikey[field];
}

/**
 * An array sorts by its least (or greatest) element. An index returns a document at the first of its elements within
 * the bounds, which is that element only if the array is not bound.
 */
function ordersBy({ record: { multikey } }: Index, bounds: Intervals[], field: number): boolean {
  return !multikey[field] || !bounds.some((_, bound) => multikey[bound]);
}
