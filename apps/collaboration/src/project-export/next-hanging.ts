import type { Model, QueryFilter } from 'mongoose';
import type { Paging } from '../plan-archive/next-page';

export interface Numbered {
  _id: number;
  iid: number;
}

interface Within extends Paging {
  within_id?: number | undefined;
}

interface Hanging<T> {
  items: T[];
  /** Numbers of their records, by id. */
  iids: Map<number, number>;
  next: { next_after_id: number | null; next_within_id?: number };
}

/**
 * The next page of related records of a project's issues or merge requests, by the ids of both.
 * @param field id of the issue or merge request
 */
export async function nextHanging<T extends { _id: number }>(
  owners: Model<Numbered>,
  projectId: number,
  hanging: Model<T>,
  field: keyof T & string,
  { after_id, within_id, limit }: Within,
  filter: QueryFilter<T> = {},
): Promise<Hanging<T>> {
  const from = within_id === undefined ? { $gt: after_id } : { $gte: after_id };
  const some = await owners.find({ projectId, _id: from }, { iid: 1 }).sort({ _id: 1 }).limit(limit).lean<Numbered[]>();
  const iids = new Map(some.map(({ _id, iid }) => [_id, iid]));
  const rest = within_id !== undefined && { $or: [{ [field]: { $gt: after_id } }, { _id: { $gt: within_id } }] };
  const items = await hanging
    .find({ ...filter, [field]: { $in: [...iids.keys()] }, ...rest } as QueryFilter<T>)
    .sort({ [field]: 1, _id: 1 })
    .limit(limit)
    .lean<T[]>();
  const last = items.at(-1);
  if (last && items.length === limit) {
    return { items, iids, next: { next_after_id: last[field] as number, next_within_id: last._id } };
  }
  return { items, iids, next: { next_after_id: some.length === limit ? (some.at(-1)?._id ?? null) : null } };
}
