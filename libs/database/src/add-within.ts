import type { Model, QueryFilter } from 'mongoose';

/** The largest number of documents. */
export interface Bound<T> {
  model: Model<T>;
  /** The documents that count. */
  filter: QueryFilter<T>;
  most: number;
  refusal(): Error;
}

/**
 * Adds a document within a limit. It counts again after the write: concurrent calls never exceed the limit, but all
 * calls for the last place may be refused. A process that dies in between leaves its document.
 * @throws the refusal, or the failure of the insert
 */
export async function addWithin<T extends { _id: unknown }>(
  { model, filter, most, refusal }: Bound<T>,
  add: () => Promise<T>,
): Promise<T> {
  if (!Number.isFinite(most)) return add();
  if ((await model.countDocuments(filter).limit(most)) >= most) throw refusal();
  const added = await add();
  const withdraw = () => model.deleteOne({ _id: added._id } as QueryFilter<T>);
  try {
    if ((await model.countDocuments(filter).limit(most + 1)) <= most) return added;
  } catch (error) {
    // After a failure the caller does not clean up.
    await withdraw().catch(() => undefined);
    throw error;
  }
  await withdraw();
  throw refusal();
}
