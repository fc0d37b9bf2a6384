import type { Collection } from 'mongoose';

/** Fields that hold the subject of a list. */
export type ListField = 'labelId' | 'milestoneId' | 'assigneeId';

/**
 * Replaces or clears the subject of lists on the boards that a filter finds. A list without a subject is removed, and
 * so is one whose board already has a list of the replacement. Idempotent.
 */
export async function replaceInLists(
  boards: Pick<Collection, 'updateMany'>,
  filter: object,
  field: ListField,
  former: number[],
  id: number | null,
): Promise<void> {
  const path = `lists.${field}`;
  if (id !== null) {
    const alone = { ...filter, [path]: { $in: former, $ne: id } };
    const inPlace = { $set: { [`lists.$[former].${field}`]: id } };
    await boards.updateMany(alone, inPlace, { arrayFilters: [{ [`former.${field}`]: { $in: former } }] });
  }
  const without: object = { $pull: { lists: { [field]: { $in: former } } } };
  await boards.updateMany({ ...filter, [path]: { $in: former } }, without);
}
