import type { GitEngine } from '../git/engine';
import { languageShares } from './languages';

/** A tree of files by path, each with its size. */
function engineOf(files: Record<string, number>): GitEngine {
  const entries = Object.keys(files).map((path) => ({ id: path, path, name: path.split('/').at(-1)!, type: 'blob' }));
  return {
    trees: {
      list: async (_path: string, _tree: string, { start, limit }: { start: { offset: number }; limit: number }) => ({
        entries: entries.slice(start.offset, start.offset + limit),
      }),
    },
    objects: { info: async (_: string, id: string) => ({ sizeBytes: files[id] }) },
  } as unknown as GitEngine;
}
const shares = (files: Record<string, number>) => languageShares(engineOf(files), '', '');

it('shares a tree by bytes, largest first, in percent with two decimals', async () => {
  const found = await shares({ 'a.rb': 1, 'src/b.ts': 1, 'c.TS': 1, Dockerfile: 3 });
  expect(Object.entries(found)).toEqual([
    ['Dockerfile', 50],
    ['TypeScript', 33.33],
    ['Ruby', 16.67],
  ]);
});

it('count neither prose and data nor vendored code', async () => {
  expect(
    await shares({ 'README.md': 9, 'data.json': 9, 'vendor/x.go': 9, 'a/node_modules/y.js': 9, 'm.go': 1 }),
  ).toEqual({ Go: 100 });
});

it('has no languages if it is empty', async () => {
  expect(await shares({})).toEqual({});
  expect(await shares({ 'empty.c': 0 })).toEqual({});
});

it('reads trees of more than one page', async () => {
  const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`${n}.c`, 1]));
  expect(await shares({ ...files, 'last.go': 10_001 })).toEqual({ C: 50, Go: 50 });
});
