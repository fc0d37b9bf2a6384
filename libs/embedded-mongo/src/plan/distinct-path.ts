import type { Collation } from '../bson/collation';
import type { FilterNode } from '../query/filter-node';
import type { Collection } from '../storage/collection';
import type { IndexPath } from './access-path';
import { holdsAllMatches } from './implies';
import { indexPath, isOnePoint } from './index-path';
import { conjunctionOf } from './predicates';

/**
 * The path to one document for each value of a field, MongoDB's DISTINCT_SCAN. It needs an index that begins with fields
 * for which the filter has one value each, and no other conditions, and that continues with this field. Otherwise it is
 * undefined, and the values are read from all matches.
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
