import { countLimit, type Page, window } from '@moothall/contracts';
import type { Model, QueryFilter, SortOrder } from 'mongoose';
import type { Collection } from './collection-of';
import { comparesValues } from './compares-values';
import { countInTurn, findInTurn } from './find-in-turn';
import { hiddenIn } from './hidden-fields';
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

interface PageOptions {
  /**
   * Whether the list mostly has more than one page. One command then reads the page and counts the list, unless the
   * filter has patterns or negations ({@link comparesValues}).
   */
  isLong?: boolean;
  /** The fields that are read; by default all but the hidden ones. */
  projection?: Record<string, 0 | 1>;
}

/** One offset page of a collection, as plain documents. The index of `filter` and `sort` is the caller's care. */
export async function findPage<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  sort: Record<string, SortOrder>,
  input: { page: number; per_page: number },
  { isLong = false, projection }: PageOptions = {},
): Promise<Page<T>> {
  if (matchesNothing(filter)) return { items: [], total: 0 };
  const { skip, limit } = window(input);
  const query = model.find(filter, projection).sort(sort).skip(skip).limit(limit);
  if (isLong && comparesValues(filter)) {
    const order = query.getOptions().sort as Record<string, 1 | -1>;
    return findLongPage(model, query.cast(model), order, input, projection);
  }
  const items = await query.lean<T[]>();
  // A first page that is not full already has the total.
  const isWhole = skip === 0 && items.length < limit;
  return { items, total: isWhole ? items.length : await countUpTo(model, filter) };
}

/**
 * One offset page and the number of all documents, by one command with what else is read in the same turn
 * ({@link findInTurn}). Without Mongoose: nothing is cast.
 * @param filter of conditions that an index answers, both the page and the number
 */
export async function findLongPage<T>(
  model: Model<T>,
  filter: object,
  sort: Record<string, 1 | -1>,
  input: { page: number; per_page: number },
  projection: Record<string, 0 | 1> = hiddenIn(model),
): Promise<Page<T>> {
  const { skip, limit } = window(input);
  // The other reads of the turn would wait until so many documents are skipped.
  const isLarge = skip > countLimit;
  const [items, count] = await Promise.all([
    findInTurn(model, () => [{ filter, projection, sort, skip, limit, isLarge }]),
    countInTurn(model, filter, countLimit + 1),
  ]);
  return { items, total: count > countLimit ? undefined : count };
}
