import { checkPath } from './tree-editor';

it.each(['README.md', 'a/b/c', '.gitignore', 'a b/ü', '...', '.github/x', 'git~', `${'x'.repeat(255)}/y`])(
  'writes to %j',
  (path) => {
    expect(checkPath(path)).toEqual(path.split('/'));
  },
);

it.each([
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  'a/../b',
  'a\nb',
  'a\0b',
  '.git/config',
  'a/.GIT/x',
  '.git./x',
  '.git /x',
  'git~1/x',
  '.g\u200cit/x',
  '.git::$INDEX_ALLOCATION/x',
  'x'.repeat(256),
  Array.from({ length: 2049 }, () => 'x').join('/'),
])('writes nothing to %j', (path) => {
  expect(() => checkPath(path)).toThrow(expect.objectContaining({ reason: 'path_invalid' }));
});
