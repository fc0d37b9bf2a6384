import { boardErrors, commonErrors, invalidRecord, mostOnBoard } from '@moothall/contracts';
import type { BoardList } from './board.schema';

/** The subject of a new list. */
export type ListSubject = Pick<BoardList, 'listType' | 'labelId' | 'milestoneId' | 'assigneeId'>;

/** The lists that people created, in order; the lists of open and of closed issues have no position. */
export const listsInOrder = (lists: BoardList[]): BoardList[] =>
  lists
    .filter(({ listType }) => listType !== 'backlog' && listType !== 'closed')
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || a.id - b.id);

/** Position of a list. @throws common.not_found */
export function placeOf(lists: BoardList[], listId: number): number {
  const at = listsInOrder(lists).findIndex(({ id }) => id === listId);
  if (at < 0) throw commonErrors.notFound();
  return at;
}

/** Appends a list. @throws common.invalid_record for a second list of the same subject, or at the limit */
export function withList(lists: BoardList[], id: number, subject: ListSubject): BoardList[] {
  const { listType, labelId, milestoneId, assigneeId } = subject;
  const isTaken = lists.some(
    (list) =>
      list.listType === listType &&
      list.labelId === labelId &&
      list.milestoneId === milestoneId &&
      list.assigneeId === assigneeId,
  );
  if (isTaken) throw invalidRecord({ [listType]: ['has already been taken'] });
  if (lists.length >= mostOnBoard) throw invalidRecord({ lists: [`are too many (maximum is ${mostOnBoard})`] });
  return numbered(lists, [...listsInOrder(lists), { id, ...subject, position: null }]);
}

/** @throws common.not_found; board.list_not_moved for an invalid position */
export function withMoved(lists: BoardList[], listId: number, position: number): BoardList[] {
  const ordered = listsInOrder(lists);
  const from = placeOf(lists, listId);
  if (position >= ordered.length) throw boardErrors.listNotMoved();
  const moved = ordered.splice(from, 1);
  return numbered(lists, ordered.toSpliced(position, 0, ...moved));
}

/** @throws common.not_found */
export function withoutList(lists: BoardList[], listId: number): BoardList[] {
  return numbered(lists, listsInOrder(lists).toSpliced(placeOf(lists, listId), 1));
}

const numbered = (lists: BoardList[], ordered: BoardList[]): BoardList[] => [
  ...lists.filter((list) => !listsInOrder(lists).includes(list)),
  ...ordered.map((list, position) => ({ ...list, position })),
];
