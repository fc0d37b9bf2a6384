import type { Collation } from '../bson/collation';
import type { FilterNode } from '../query/filter-node';
import type { Collection } from '../storage/collection';
import type { IndexPath } from './access-path';
import { holdsAllMatches } from './implies';
import { indexPath, isOnePoint } from './index-path';
import { conjunctionOf } from './predicates';

/**
 * The path to one document for each value of a field, MongoDB's DISTINCT_SCAN: there is one where an index begins with
 * fields of which the filter asks one value each, and nothing besides, and goes on with that field. Undefined where there
 * is none, and the values are to be picked out of all that match.
 */
export function distinctPath(
  collection: Collection,
  filter: FilterNode,
  field: string,
  collation: Collation | undefined,
): IndexPath | undefined {
  const conjunction = conjunctionOf(filter);
  if (collection.isAbsent || collation || conjunction.isNever) return undefined;
  for (const index of collection.indexes) {
    const at = index.fields.indexOf(field);
    const { multikey, truncated, ready } = index.record;
    if (at < 0 || !ready || index.isHidden || index.collation || truncated || multikey.includes(true)) continue;
    if (!holdsAllMatches(index, filter)) continue;
    const path = indexPath(index, conjunction, { sort: [], collation, isForced: true });
    if (!path?.isExact || path.points || path.ranges.length !== 1) continue;
    if (path.bounds.length >= at && path.bounds.slice(0, at).every(isOnePoint)) return { ...path, distinctField: at };
  }
  return undefined;
}
