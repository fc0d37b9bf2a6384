import { invitationFor, newBranchesOf } from './merge-request-invitation';

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const created = (refName: string) => ({ refName, before: null, after: young });

it('is about new branches, not about tags, notes, deletions and other pushes', () => {
  const updates = [
    ...['refs/tags/v1', 'refs/heads/a/b', 'refs/notes/commits'].map(created),
    { refName: 'refs/heads/gone', before: old, after: null },
    { refName: 'refs/heads/known', before: old, after: young },
  ];
  expect(newBranchesOf(updates)).toEqual(['a/b']);
});

it('is about three branches at most', () => {
  const branches = ['a', 'b', 'c', 'd'];
  const updates = branches.map((name) => created(`refs/heads/${name}`));
  expect(newBranchesOf(updates.slice(1))).toEqual(['b', 'c', 'd']);
  expect(newBranchesOf(updates)).toEqual([]);
});

it('has the words of v4', () => {
  expect(invitationFor(['topic'], 'http://h/g/p')).toBe(
    '\nTo create a merge request for topic, visit:\n  http://h/g/p/-/merge_requests/new?merge_request%5Bsource_branch%5D=topic\n\n',
  );
  expect(invitationFor([], 'http://h/g/p')).toBe('');
});

it('has no control characters, and an encoded address', () => {
  const words = invitationFor(['fix/#1&ü\u009b31m\u202e\u2028'], 'http://h/g/p');
  expect(words).toContain('for fix/#1&ü\ufffd31m\ufffd\ufffd, visit:');
  expect(words).toContain('=fix%2F%231%26%C3%BC%C2%9B31m%E2%80%AE%E2%80%A8\n');
});
