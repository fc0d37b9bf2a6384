import type { Model, QueryFilter } from 'mongoose';

/** How many documents there may be. */
export interface Bound<T> {
  model: Model<T>;
  /** Those that count. */
  filter: QueryFilter<T>;
  most: number;
  refusal(): Error;
}

/**
 * Adds a document where there is room. Counted once more after the write: of several at once none comes in beyond the last
 * place, though all that ask for the last one at the same moment may be refused. A process that dies in between leaves what
 * it has added.
 * @throws the refusal; what adding fails with
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
