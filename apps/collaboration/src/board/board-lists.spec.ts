import { mostOnBoard } from '@moothall/contracts';
import type { BoardList } from './board.schema';
import { listsInOrder, placeOf, withList, withMoved, withoutList } from './board-lists';

const list = (id: number, position: number | null, listType: BoardList['listType'] = 'label'): BoardList => ({
  id,
  listType,
  labelId: listType === 'label' ? id * 10 : null,
  milestoneId: null,
  position,
});
const lists = [list(1, null, 'backlog'), list(2, 1), list(3, 0), list(4, 5), list(5, null, 'closed')];
const order = (of: BoardList[]) => listsInOrder(of).map(({ id, position }) => [id, position]);
const label = (labelId: number) => ({ listType: 'label' as const, labelId, milestoneId: null });

describe('lists of a board', () => {
  it('have an order, but the first and the last', () => expect(order(lists).map(([id]) => id)).toEqual([3, 2, 4]));

  it('are placed after the others', () => {
    const after = withList(lists, 6, label(7));
    expect(order(after)).toEqual([
      [3, 0],
      [2, 1],
      [4, 2],
      [6, 3],
    ]);
    expect(after.filter(({ position }) => position === null)).toHaveLength(2);
  });

  it('are of another label each, and not endless', () => {
    expect(() => withList(lists, 6, label(20))).toThrow('label');
    const many = Array.from({ length: mostOnBoard }, (_, at) => list(at + 1, at));
    expect(() => withList(many, 9000, label(7))).toThrow('too many');
  });

  it.each([
    [4, 0, [4, 3, 2]],
    [3, 2, [2, 4, 3]],
    [2, 1, [3, 2, 4]],
  ])('move: %d to %d', (id, to, ids) =>
    expect(order(withMoved(lists, id, to))).toEqual(ids.map((one, at) => [one, at])),
  );

  it('do not move past the end', () => expect(() => withMoved(lists, 2, 3)).toThrow('board.list_not_moved'));

  it('move up if one is deleted', () =>
    expect(order(withoutList(lists, 2))).toEqual([
      [3, 0],
      [4, 1],
    ]));

  it.each([1, 5, 99])('are not moved, found or removed: %d', (id) => {
    for (const attempt of [() => placeOf(lists, id), () => withMoved(lists, id, 0), () => withoutList(lists, id)])
      expect(attempt).toThrow('common.not_found');
  });
});
