import { fieldNames } from '../bson/document';
import { encodeKey } from '../bson/index-key';
import type { Document } from '../bson/value';
import type { FilterNode } from '../query/filter-node';
import type { Collection } from '../storage/collection';
import type { IndexPath } from './access-path';
import { isPlain } from './predicates';

/** The commonest filter of all and how it is answered, without weighing indexes. */
export interface IdLookup {
  node: FilterNode;
  path: IndexPath;
}

/** @returns undefined if the filter is more than `{_id: <value>}`, or the key was truncated */
export function idLookup(collection: Collection, filter: Document): IdLookup | undefined {
  const value = filter._id;
  if (value === undefined || !isPlain(value) || fieldNames(filter).length !== 1 || collection.isAbsent)
    return undefined;
  const index = collection.primaryIndex;
  if (index.collation) return undefined;
  const { bytes, truncated } = encodeKey([value], index.directions);
  if (truncated) return undefined;
  return {
    node: { kind: 'leaf', path: '_id', operator: '$eq', value },
    path: {
      stage: 'IXSCAN',
      index,
      bounds: [{ points: [value], ranges: [] }],
      ranges: [],
      points: [bytes],
      reverse: false,
      filters: [],
      mayRepeat: false,
      isExact: true,
      isSorted: true,
      isMerged: false,
    },
  };
}
