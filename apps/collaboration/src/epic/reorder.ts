import { collectionOf, writeAll } from '@moothall/database';
import type { Model } from 'mongoose';

interface Move {
  id: number;
  move_before_id?: number | undefined;
  move_after_id?: number | undefined;
}

/**
 * Moves one of some records before or after another one and renumbers them. Without a target the order stays.
 * @param records in their current order
 * @param field holds the numbers
 * @param below condition that a record must still meet when its number is written
 * @throws missing for a record that is not among them
 */
export async function reorder<T extends { _id: number }>(
  model: Model<T>,
  records: readonly T[],
  field: keyof T & string,
  { id, ...to }: Move,
  below: object,
  missing: () => Error,
): Promise<void> {
  const ids = records.map(({ _id }) => _id);
  if (!ids.includes(id)) throw missing();
  const numbers = new Map(records.map((record) => [record._id, record[field]]));
  const writes = reordered(ids, id, to, missing).flatMap((_id, at) => {
    if (numbers.get(_id) === at + 1) return [];
    return { updateOne: { filter: { _id, ...below }, update: { $set: { [field]: at + 1 } } } };
  });
  await writeAll(collectionOf(model), writes);
}

function reordered(ids: number[], id: number, to: Omit<Move, 'id'>, missing: () => Error): number[] {
  const others = ids.filter((other) => other !== id);
  const nextRecord = to.move_before_id ?? to.move_after_id;
  if (nextRecord === undefined) return ids;
  const at = others.indexOf(nextRecord);
  if (at === -1) throw missing();
  return others.toSpliced(to.move_before_id === undefined ? at + 1 : at, 0, id);
}
