import type { Located } from '../storage/storages';
import { wikiChangesOf } from './wiki-changes';

interface Changed {
  added?: string[];
  modified?: string[];
  removed?: string[];
}

/** A wiki with these commits, newest last; every file contains its own name. */
function wikiOf(...commits: Changed[]): Located {
  const ids = commits.map((_, index) => String(index));
  const engine = {
    log: { ids: async () => ids.toReversed() },
    commits: { list: async () => ids.map((id) => ({ id, treeId: id, message: `change ${id}\n` })) },
    changedFiles: {
      list: async () => new Map(ids.map((id, n) => [id, { added: [], modified: [], removed: [], ...commits[n] }])),
    },
    trees: { find: async (_path: string, _tree: string, file: string) => ({ id: file }) },
    objects: {
      info: async (_path: string, id: string) => ({ sizeBytes: id.startsWith('large') ? 300_000 : 10 }),
      require: async (_path: string, id: string) => ({ content: Buffer.from(id) }),
    },
  };
  return { engine, path: '' } as unknown as Located;
}
const changesOf = async (...commits: Changed[]) =>
  (await wikiChangesOf(wikiOf(...commits), null, 'tip')).map(({ action, slug, content }) => [action, slug, content]);

it('lists created, changed and deleted pages, commit by commit', async () => {
  expect(await changesOf({ added: ['home.md'] }, { modified: ['home.md'], removed: ['old.md'] })).toEqual([
    ['create', 'home', 'home.md'],
    ['update', 'home', 'home.md'],
    ['delete', 'old', ''],
  ]);
});

it('lists a moved page once, under its new name', async () => {
  expect(await changesOf({ added: ['dir/new.md'], removed: ['old.md'] })).toEqual([
    ['update', 'dir/new', 'dir/new.md'],
  ]);
});

it('ignores files that are no pages', async () => {
  expect(await changesOf({ added: ['uploads/x.png', 'a.txt'], removed: ['b.bin'] })).toEqual([]);
});

it('lists a large page without its content', async () => {
  expect(await changesOf({ added: ['large.md'] })).toEqual([['create', 'large', '']]);
});
