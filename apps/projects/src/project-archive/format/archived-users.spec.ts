import { usersIn, withUsers } from './archived-users';

const record = {
  author_id: 1,
  closed_by_id: 2,
  merged_by_id: null,
  assignee_ids: [1, 2],
  approvals: [
    { user_id: 2, at: 'then' },
    { user_id: 1, at: 'now' },
  ],
  position: { id: 7 },
  title: 'x',
};

it('finds all named users', () => {
  expect([...usersIn(record)]).toEqual([1, 2, 1, 2, 2, 1]);
});

it('keeps existing users, and drops the records of others', () => {
  expect(withUsers(record, (id) => (id === 1 ? 10 : undefined), 99)).toEqual({
    author_id: 10,
    closed_by_id: null,
    merged_by_id: null,
    assignee_ids: [10],
    approvals: [{ user_id: 10, at: 'now' }],
    position: { id: 7 },
    title: 'x',
  });
});

it('replaces a missing author by the importer', () => {
  expect(withUsers({ author_id: 5, resolved_by_id: 5 }, () => undefined, 99)).toEqual({
    author_id: 99,
    resolved_by_id: null,
  });
});
