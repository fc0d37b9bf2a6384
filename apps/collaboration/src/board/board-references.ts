import type { Collection } from 'mongoose';

/** What lists are of. */
export type ListField = 'labelId' | 'milestoneId' | 'assigneeId';

/**
 * Lets another, or none, take the place of what lists are of, on the boards that a filter finds. A list of what is no more
 * goes, and so does one where the board has a list of the other already. May run again at any point.
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
