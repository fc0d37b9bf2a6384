import { calculateObjectSize } from 'bson';
import type { Model, QueryFilter } from 'mongoose';

/** A page of this size is full: some descriptions are long, and messages have a size limit. */
export const enoughBytes = 2 * 1024 ** 2;

export interface Paging {
  after_id: number;
  limit: number;
}

export interface Step<T> {
  items: T[];
  nextAfterId: number | null;
}

/**
 * The next page of records by ascending id.
 * @param besides fields that are read only on request
 */
export async function nextPage<T extends { _id: number }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { after_id, limit }: Paging,
  besides = '',
): Promise<Step<T>> {
  const cursor = model
    .find({ ...filter, _id: { $gt: after_id } })
    .select(besides)
    .sort({ _id: 1 })
    .limit(limit)
    .lean<T>()
    .cursor();
  const items: T[] = [];
  let bytes = 0;
  for await (const item of cursor) {
    items.push(item as T);
    bytes += calculateObjectSize(item);
    if (items.length === limit || bytes >= enoughBytes) return { items, nextAfterId: (item as T)._id };
  }
  return { items, nextAfterId: null };
}
