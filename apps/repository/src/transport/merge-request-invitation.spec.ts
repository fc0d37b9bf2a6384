import { invitationFor, pushedBranchesOf, viewFor } from './merge-request-invitation';

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const created = (refName: string) => ({ refName, before: null, after: young });
const moved = (refName: string) => ({ refName, before: old, after: young });

it('is about branches, not about tags, notes and deletions', () => {
  const updates = [
    ...['refs/tags/v1', 'refs/heads/a/b', 'refs/notes/commits'].map(created),
    { refName: 'refs/heads/gone', before: old, after: null },
    ...['refs/tags/v2', 'refs/heads/known'].map(moved),
  ];
  expect(pushedBranchesOf(updates)).toEqual([
    { name: 'a/b', isNew: true },
    { name: 'known', isNew: false },
  ]);
});

it('is about three branches at most, and about new ones if there are more', () => {
  const [fresh, known] = [
    ['a', 'b', 'c', 'd'],
    ['e', 'f', 'g', 'h'],
  ].map((names) => names.map((name) => `refs/heads/${name}`));
  const namesOf = (updates: Parameters<typeof pushedBranchesOf>[0]) =>
    pushedBranchesOf(updates).map(({ name }) => name);
  expect(namesOf(fresh!.slice(1).map(created))).toEqual(['b', 'c', 'd']);
  expect(namesOf(fresh!.map(created))).toEqual([]);
  expect(namesOf(known!.slice(1).map(moved))).toEqual(['f', 'g', 'h']);
  expect(namesOf(known!.map(moved))).toEqual([]);
  expect(namesOf([...fresh!.slice(2).map(created), ...known!.map(moved)])).toEqual(['c', 'd']);
});

it('has the words of v4', () => {
  expect(invitationFor('topic', 'http://h/g/p')).toBe(
    '\nTo create a merge request for topic, visit:\n  http://h/g/p/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic\n\n',
  );
  expect(viewFor('topic', 'http://h/g/p', 3)).toBe(
    '\nView merge request for topic:\n  http://h/g/p/-/merge_requests/3\n\n',
  );
});

it('has no control characters, and an encoded address', () => {
  const words = invitationFor('fix/#1&ü\u009b31m\u202e\u2028', 'http://h/g/p');
  expect(words).toContain('for fix/#1&ü\ufffd31m\ufffd\ufffd, visit:');
  expect(words).toContain('=fix%2F%231%26%C3%BC%C2%9B31m%E2%80%AE%E2%80%A8\n');
  expect(viewFor('a\u009b31m', 'http://h/g/p', 3)).toContain('for a\ufffd31m:');
});
