import type { Located } from '../storage/storages';
import { factsOf } from './push-facts';

const [old, young] = ['1'.repeat(40), '2'.repeat(40)];
const branch = { refName: 'refs/heads/topic', before: old, after: young };

/** A repository that records requests for its log; each commit changes one file with a name of that length. */
function repositoryOf({ commits = 1, nameLength = 5, hasOld = true } = {}) {
  const asked: object[] = [];
  const ids = Array.from({ length: commits }, (_, n) => String(n));
  const person = { name: 'Ada', email: 'ada@example.com', date: '2026-01-01T00:00:00Z' };
  const engine = {
    log: {
      count: async (_: string, query: object) => {
        asked.push(query);
        return commits;
      },
      ids: async (_: string, { limit }: { limit: number }) => ids.slice(0, limit),
    },
    commits: {
      list: async (_: string, listed: string[]) =>
        listed.map((id) => ({ id, title: id, message: 'm'.repeat(20_000), author: person, committer: person })),
    },
    changedFiles: {
      list: async (_: string, listed: { id: string }[]) =>
        new Map(listed.map(({ id }) => [id, { added: ['x'.repeat(nameLength)], modified: [], removed: [] }])),
    },
    objects: {
      info: async () => (hasOld ? { type: 'commit' } : null),
      readRef: async () => ({ id: 'tip-of-main' }),
    },
    storage: { defaultBranch: async () => 'main' },
    tags: { get: async () => ({ commitId: young, message: 'Version one' }) },
  };
  return { located: { engine, path: '' } as unknown as Located, asked };
}
const tell = (update: Parameters<typeof factsOf>[1], of: Parameters<typeof repositoryOf>[0] = {}) =>
  factsOf(repositoryOf(of).located, update, 'http://host/app');

it('lists the commits since the old tip, oldest first, with their URLs', async () => {
  const { located, asked } = repositoryOf({ commits: 2 });
  const facts = await factsOf(located, branch, 'http://host/app');
  expect(asked).toEqual([{ from: young, not: [old] }]);
  expect(facts).toMatchObject({ ref_type: 'branch', checkout_sha: young, total_commits_count: 2 });
  expect(facts.commits.map(({ id, url }) => [id, url])).toEqual([
    ['1', 'http://host/app/-/commit/1'],
    ['0', 'http://host/app/-/commit/0'],
  ]);
});

it.each([
  ['a new branch: what the default branch lacks', { ...branch, before: null }, ['tip-of-main']],
  ['the default branch, new: all of it', { ...branch, refName: 'refs/heads/main', before: null }, []],
])('describes %s', async (_what, update, not) => {
  const { located, asked } = repositoryOf();
  await factsOf(located, update, '');
  expect(asked).toEqual([{ from: young, not }]);
});

it('describes a forced push whose old tip no longer exists', async () => {
  const { located, asked } = repositoryOf({ hasOld: false });
  await factsOf(located, branch, '');
  expect(asked).toEqual([{ from: young, not: [] }]);
});

it('lists no commits of a removed branch', async () => {
  expect(await tell({ ...branch, after: null })).toEqual({
    ref_type: 'branch',
    checkout_sha: null,
    message: null,
    commits: [],
    total_commits_count: 0,
  });
});

it("includes a tag's message and commit", async () => {
  const tag = { refName: 'refs/tags/v1', before: null, after: young };
  expect(await tell(tag)).toMatchObject({ ref_type: 'tag', checkout_sha: young, message: 'Version one', commits: [] });
  expect(await tell({ ...tag, after: null })).toMatchObject({ checkout_sha: null, message: null });
});

it('fits into a message: at most twenty commits, long texts cut, names of files up to a bound', async () => {
  const facts = await tell(branch, { commits: 30, nameLength: 60_000 });
  expect(facts.total_commits_count).toBe(30);
  expect(facts.commits).toHaveLength(20);
  expect(facts.commits[0]!.message).toHaveLength(10_000);
  expect(facts.commits.filter(({ added }) => added.length > 0)).toHaveLength(3);
});
