import { matcherOf } from './glob';

describe('a pattern of files', () => {
  it.each([
    ['README.md', ['README.md'], ['readme.md', 'docs/README.md', 'READMEXmd']],
    ['*', ['a', '.env', 'a b'], ['a/b']],
    ['docs/*', ['docs/a', 'docs/.a'], ['docs/a/b', 'docs']],
    ['docs/**', ['docs/a'], ['docs/a/b']],
    ['docs/**/*', ['docs/a', 'docs/a/b', 'docs/a/b/c.md'], ['doc/a', 'docs']],
    ['**/*.md', ['a.md', 'x/y/a.md'], ['a.mdx']],
    ['a**/b', ['ab/b', 'a/b'], ['a/x/b']],
    ['src/**/test/*.{ts,js}', ['src/test/a.ts', 'src/x/y/test/a.js'], ['src/test/a.tsx', 'src/a/tests/a.ts']],
    ['{a,b/{c,d}}.txt', ['a.txt', 'b/c.txt', 'b/d.txt'], ['b.txt', 'c.txt']],
    ['{**/,}x', ['x', 'a/x'], ['ax']],
    ['file?.[ch]', ['file1.c', 'file2.h'], ['file.c', 'file1.x', 'file/.c']],
    ['[!a-c]x', ['dx'], ['ax', '/x', 'x']],
    ['a\\*b', ['a*b'], ['axb']],
    ['a{b', ['a{b'], ['ab']],
    ['a[b', ['a[b'], ['ab']],
    ['(a|b)+$', ['(a|b)+$'], ['a']],
  ])('%s', (pattern, meant, others) => {
    const isMeant = matcherOf(pattern);
    expect([...meant, ...others].filter(isMeant)).toEqual(meant);
  });

  it.each([['x'.repeat(1001)], ['[z-a]']])('is refused if it cannot be read (%#)', (pattern) => {
    expect(() => matcherOf(pattern)).toThrow('pattern');
  });
});
