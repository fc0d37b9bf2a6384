import { isBranchOrTagName, parseRevision, revisionCandidates } from './revision';

it.each([
  ['main', 'main', ''],
  ['feature/x~2^1', 'feature/x', '~2^1'],
  ['v1.0^', 'v1.0', '^'],
  ['größe', 'größe', ''],
])('splits %s', (text, base, steps) => {
  expect(parseRevision(text)).toEqual({ base, steps });
});

it.each(['', '~1', 'a b', 'a\n', 'a..b', 'a:b', '@', '@{u}', 'a@{1}', 'a^{tree}', '/a', 'a/', 'a~99999999'])(
  'refuses %j',
  (text) => {
    expect(parseRevision(text)).toBeNull();
  },
);

it('prefers the requested kind, always by full name', () => {
  expect(revisionCandidates('x', 'branch')).toEqual(['refs/heads/x', 'refs/tags/x']);
  expect(revisionCandidates('x', 'tag')).toEqual(['refs/tags/x', 'refs/heads/x']);
  expect(revisionCandidates('A'.repeat(40), 'tag')).toEqual(['a'.repeat(40)]);
  expect(revisionCandidates('-x', 'branch').every((name) => name.startsWith('refs/'))).toBe(true);
});

it('refuses branch names that read as options, ids or full refs', () => {
  expect(['-x', 'HEAD', 'a'.repeat(40), 'refs/heads/x', 'x'.repeat(2000)].some(isBranchOrTagName)).toBe(false);
  expect(['x', 'a/b', 'release-1.0', 'ünïcode'].every(isBranchOrTagName)).toBe(true);
});
