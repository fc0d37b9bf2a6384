import { countLimit, type Page, window } from '@moothall/contracts';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import type { Collection } from './collection-of';
import { matchesNothing } from './matches-nothing';

/** Number of matching rows, undefined above the limit of X-Total; counts no further than that. */
export async function countUpTo<T>(model: Model<T>, filter: QueryFilter<T>): Promise<number | undefined> {
  if (matchesNothing(filter)) return 0;
  const count = await model.countDocuments(filter).limit(countLimit + 1);
  return count > countLimit ? undefined : count;
}

/**
 * Number of matching rows, without Mongoose, which costs as much as a count by an index. For a condition "field is
 * none of some values", rows with one of the values are counted and subtracted from all others, since an index
 * contains the rows with a label, but not those without it. The two counts are from successive moments.
 */
export async function countByDifference<T>(collection: Collection<T>, filter: object): Promise<number> {
  const excluding = Object.entries(filter).find(
    ([field, condition]) => !field.startsWith('$') && isExclusion(condition),
  );
  if (!excluding) return collection.countDocuments(filter);
  const [field, { $nin }] = excluding as [string, { $nin: unknown[] }];
  const { [field]: _, ...others } = filter as Record<string, unknown>;
  const [all, excluded] = await Promise.all([
    countByDifference(collection, others),
    countByDifference(collection, { ...others, [field]: { $in: $nin } }),
  ]);
  return Math.max(all - excluded, 0);
}

const isExclusion = (condition: unknown): boolean =>
  typeof condition === 'object' && condition !== null && Object.keys(condition).join() === '$nin';

/** One offset page of a collection, as plain documents. The index of `filter` and `sort` is the caller's care. */
export async function findPage<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  sort: Record<string, SortOrder>,
  input: { page: number; per_page: number },
): Promise<Page<T>> {
  if (matchesNothing(filter)) return { items: [], total: 0 };
  const { skip, limit } = window(input);
  const items = await model.find(filter).sort(sort).skip(skip).limit(limit).lean<T[]>();
  // A first page that is not full already has the total.
  const isWhole = skip === 0 && items.length < limit;
  return { items, total: isWhole ? items.length : await countUpTo(model, filter) };
}
