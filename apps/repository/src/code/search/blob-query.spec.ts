import { readBlobQuery } from './blob-query';

it.each([
  ['needle', 'needle'],
  ['  two  words ', 'two  words'],
  ['two\nlines', 'two lines'],
  ['needle extension:ts', 'needle'],
  ['extension:ts a  b', 'a b'],
  ['filename:x', ''],
  ['extension:', 'extension:'],
  ['std::path:', 'std::path:'],
  ['--help -e .*', '--help -e .*'],
])('of %j the text is %j', (search, text) => {
  expect(readBlobQuery(search).text).toBe(text);
});

it.each([
  ['extension:ts', ['a.ts', 'b/c.d.ts'], ['ts', 'a.tsx', 'a.ts/b']],
  ['extension:t*', ['a.ts', 'a.t'], ['a.js']],
  ['filename:read*.md', ['readme.md', 'docs/read-first.md'], ['readme.md.txt', 'md']],
  ['filename:me.md', ['readme.md'], ['me.md/x']],
  ['path:src/*/test', ['a/src/b/test/c.ts', 'src//test'], ['src/test', 'test/src/']],
  ['-path:vendor', ['src/a'], ['vendor/a', 'a/vendor']],
  ['path:SRC extension:TS', ['src/a.ts'], ['src/a.js', 'lib/a.ts']],
  ['path:(a+)+$', ['x/(a+)+$'], ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!']],
])('%s means %j and not %j', (search, meant, others) => {
  const { isMeant } = readBlobQuery(`needle ${search}`);
  expect(meant.filter((path) => !isMeant(path))).toEqual([]);
  expect(others.filter(isMeant)).toEqual([]);
});

it('looks for a thousand stars in a long path without going back and forth', () => {
  const { isMeant } = readBlobQuery(`path:${'a*'.repeat(2000)}b`);
  expect(isMeant('a'.repeat(4000))).toBe(false);
});
