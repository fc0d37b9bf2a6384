import { RowNumbers } from './row-numbers';

it('does not change records with names or numbers', () => {
  const label = { title: 'bug' };
  expect(new RowNumbers().of('labels')(label)).toEqual([label]);
});

it('numbers the lines of each kind, for any ids', () => {
  const numbers = new RowNumbers();
  expect([70, 9].flatMap((id) => numbers.of('snippets')({ id }))).toEqual([{ id: 1 }, { id: 1 }]);
  const number = numbers.of('state_events');
  expect([70, 9].flatMap((id) => number({ id }))).toEqual([{ id: 1 }, { id: 2 }]);
});

it('lets notes name snippets and discussions by their lines', () => {
  const numbers = new RowNumbers();
  const snippet = numbers.of('snippets');
  for (const id of [40, 50]) snippet({ id });
  const note = numbers.of('notes');
  const on = (id: number, noteable_type: string, noteable_iid: number, discussion_id: number | null = null) =>
    note({ id, noteable_type, noteable_iid, discussion_id });
  expect(on(100, 'Snippet', 50, 100)).toMatchObject([{ id: 1, noteable_iid: 2, discussion_id: 1 }]);
  // A snippet that was created after the snippets were written.
  expect(on(101, 'Snippet', 60)).toEqual([]);
  expect(on(102, 'Issue', 50)).toMatchObject([{ id: 2, noteable_iid: 50, discussion_id: null }]);
  expect(on(103, 'Snippet', 50, 100)).toMatchObject([{ id: 3, noteable_iid: 2, discussion_id: 1 }]);
});
