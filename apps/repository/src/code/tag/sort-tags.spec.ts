import type { Tag } from '../../git/refs/tags';
import type { Located } from '../../storage/storages';
import { sortTags } from './sort-tags';

const committed: Record<string, string> = { c1: '2026-01-01T00:00:00Z', c2: '2026-03-01T00:00:00Z' };
const commits = {
  list: async (_: string, ids: string[]) => ids.map((id) => ({ id, committer: { date: committed[id] } })),
};
const located = { engine: { commits }, path: '' } as unknown as Located;
const tag = (name: string, commitId: string | null, taggedAt?: string) =>
  ({ name, commitId, tagger: taggedAt ? { date: taggedAt } : null }) as Tag;

const tags = [
  tag('b', 'c2'),
  tag('a', 'c1'),
  tag('annotated', 'c1', '2026-02-01T00:00:00Z'),
  tag('B', 'c2'),
  tag('of-a-tree', null),
];
const namesBy = async (orderBy: 'updated' | 'name', sort: 'asc' | 'desc') =>
  (await sortTags(located, tags, orderBy, sort)).map(({ name }) => name);

it('sorts by name, upper case first, and omits tags of other objects than commits', async () => {
  expect(await namesBy('name', 'asc')).toEqual(['B', 'a', 'annotated', 'b']);
  expect(await namesBy('name', 'desc')).toEqual(['b', 'annotated', 'a', 'B']);
});

it("sorts by the tagger's date, else the commit's, and by name if these are equal", async () => {
  expect(await namesBy('updated', 'asc')).toEqual(['a', 'annotated', 'B', 'b']);
  expect(await namesBy('updated', 'desc')).toEqual(['b', 'B', 'annotated', 'a']);
});
