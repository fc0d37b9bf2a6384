import type { Direction } from '../bson/index-key';
import type { Index } from '../index/index-spec';
import type { Intervals } from './access-path';
import type { Wish } from './index-path';

/**
 * The direction in which an index gives documents in the order asked for.
 * @returns undefined when it does not; 1 when no order is asked for
 */
export function sortDirection(index: Index, bounds: Intervals[], { sort, collation }: Wish): Direction | undefined {
  if (sort.length === 0) return 1;
  // Cut keys and folded strings are found, but stand in no order.
  if (index.record.truncated || index.collation || collation) return undefined;
  let direction: Direction | undefined;
  let field = 0;
  for (const wanted of sort) {
    while (field < index.fields.length && index.fields[field] !== wanted.path && isSinglePoint(index, bounds, field))
      field++;
    if (index.fields[field] !== wanted.path) {
      if (isConstant(index, bounds, wanted.path)) continue;
      return undefined;
    }
    if (!ordersBy(index, bounds, field)) return undefined;
    const scan = (wanted.direction * index.directions[field]!) as Direction;
    if (!isSinglePoint(index, bounds, field)) {
      if (direction !== undefined && scan !== direction) return undefined;
      direction = scan;
    }
    field++;
  }
  return direction ?? 1;
}

function isSinglePoint(index: Index, bounds: Intervals[], field: number): boolean {
  const intervals = bounds[field];
  return (
    intervals !== undefined &&
    intervals.points.length === 1 &&
    intervals.ranges.length === 0 &&
    field < index.fields.length
  );
}

/** Whether all documents found have one value there, so that sorting by it changes nothing. */
function isConstant(index: Index, bounds: Intervals[], path: string): boolean {
  const field = index.fields.indexOf(path);
  return field >= 0 && isSinglePoint(index, bounds, field) && !index.record.multikey[field];
}

/**
 * An array sorts by its least (or greatest) element. An index gives a document at the first of its elements within
 * the bounds, which is that element only when nothing binds the array.
 */
function ordersBy({ record: { multikey } }: Index, bounds: Intervals[], field: number): boolean {
  return !multikey[field] || !bounds.some((_, bound) => multikey[bound]);
}
