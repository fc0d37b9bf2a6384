import { countLimit, type Page, window } from '@moothall/contracts';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import { matchesNothing } from './matches-nothing';

/** Number of matching rows, undefined above the limit of X-Total; counts no further than that. */
export async function countUpTo<T>(model: Model<T>, filter: QueryFilter<T>): Promise<number | undefined> {
  if (matchesNothing(filter)) return 0;
  const count = await model.countDocuments(filter).limit(countLimit + 1);
  return count > countLimit ? undefined : count;
}

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
  // A first page that is not full has told the total already.
  const isWhole = skip === 0 && items.length < limit;
  return { items, total: isWhole ? items.length : await countUpTo(model, filter) };
}
