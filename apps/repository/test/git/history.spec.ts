import fc from 'fast-check';
import { CommitWalk } from '../../src/git/history/commit-walk';
import { Reachability } from '../../src/git/history/reachability';
import { GitRunner } from '../../src/git/process/run-git';
import { git, gitText, makeEngine } from './build-repository';

const { engine, dispose } = makeEngine();
beforeAll(() => engine.start());
afterAll(dispose);

interface Planned {
  /** Offsets back from the commit; empty for a root. */
  parents: number[];
  /** Hours since the first commit. */
  date: number;
}

/** Roots, merges, octopus merges, and dates in any order, many of them equal. */
const anyHistory = fc.array(
  fc.record({ parents: fc.uniqueArray(fc.nat(12), { maxLength: 4 }), date: fc.integer({ min: 0, max: 15 }) }),
  { minLength: 1, maxLength: 40 },
);

let made = 0;

/** A repository of planned commits, each with a branch `b<n>`. @returns it and the ids in order */
async function build(history: readonly Planned[]) {
  const path = await engine.storage.create(`history-${++made}`, { defaultBranch: 'b0' });
  const commits = history.map(({ parents, date }, index) => {
    const known = [...new Set(parents.map((back) => index - 1 - back).filter((parent) => parent >= 0))];
    return [
      `commit refs/heads/b${index}`,
      `mark :${index + 1}`,
      `committer A <a@example.com> ${1_300_000_000 + date * 3600} +0000`,
      'data 1\nx',
      ...known.map((parent, at) => `${at === 0 ? 'from' : 'merge'} :${parent + 1}`),
      '',
    ].join('\n');
  });
  git(path, ['fast-import', '--quiet'], { input: commits.join('\n') });
  const ids = gitText(path, ['rev-parse', ...history.map((_, index) => `b${index}`)]).split('\n');
  return { path, ids };
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

describe('a page of history', () => {
  const query = fc.record({
    from: fc.nat(),
    firstParent: fc.boolean(),
    noMerges: fc.boolean(),
    offset: fc.nat(12),
    limit: fc.integer({ min: 1, max: 12 }),
  });
  const flagsOf = ({
    firstParent,
    noMerges,
    offset,
    limit,
  }: {
    firstParent: boolean;
    noMerges: boolean;
    offset: number;
    limit: number;
  }) => [
    ...(firstParent ? ['--first-parent'] : []),
    ...(noMerges ? ['--no-merges'] : []),
    `--skip=${offset}`,
    `--max-count=${limit}`,
  ];

  it('equals that of git, for any history', async () => {
    const walk = new CommitWalk(engine.commits);
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.array(query, { minLength: 3, maxLength: 6 }), async (history, queries) => {
        const { path, ids } = await build(history);
        for (const each of queries) {
          const from = ids[each.from % ids.length]!;
          const expected = linesOf(gitText(path, ['rev-list', ...flagsOf(each), from]));
          expect(await walk.ids(path, from, each)).toEqual(expected);
          expect(await engine.log.ids(path, { ...each, from })).toEqual(expected);
          // The cached answer is the same.
          expect(await engine.log.ids(path, { ...each, from })).toEqual(expected);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is read by git if the walk is too long, or a commit is broken', async () => {
    const { path, ids } = await build(Array.from({ length: 30 }, (_, date) => ({ parents: [0], date })));
    const last = ids.at(-1)!;
    const short = new CommitWalk(engine.commits, { commits: 10, reads: 100 });
    expect(await short.ids(path, last, { limit: 5 })).toEqual(ids.toReversed().slice(0, 5));
    expect(await short.ids(path, last, { limit: 20 })).toBeNull();
    expect(await new CommitWalk(engine.commits).ids(path, last, { offset: 5000, limit: 20 })).toBeNull();

    const tree = gitText(path, ['rev-parse', `${last}^{tree}`]);
    const people = 'author A <a> 1 +0000\ncommitter A <a>> 1300000000 +0000';
    const input = `tree ${tree}\nparent ${last}\n${people}\n\nx`;
    const broken = git(path, ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], { input })
      .toString()
      .trim();
    expect(await new CommitWalk(engine.commits).ids(path, broken, { limit: 5 })).toBeNull();
    expect(await engine.log.ids(path, { from: broken, limit: 5 })).toEqual([broken, ...ids.toReversed().slice(0, 4)]);
  });

  it('of a moved branch is another one, by whichever way it moved', async () => {
    const { path, ids } = await build(Array.from({ length: 5 }, (_, date) => ({ parents: [0], date })));
    for (const id of [ids[2]!, ids[4]!, ids[0]!]) {
      git(path, ['update-ref', 'refs/heads/moving', id]);
      const from = await engine.objects.resolve(path, 'moving');
      expect(await engine.log.ids(path, { from, limit: 2 })).toEqual(linesOf(gitText(path, ['rev-list', '-2', id])));
    }
  });

  it('needs no git process, like a short range; answers for long ranges are cached', async () => {
    const { path, ids } = await build(Array.from({ length: 30 }, (_, date) => ({ parents: [0], date })));
    const started = jest.spyOn(GitRunner.prototype, 'run');
    const last = ids.at(-1)!;
    await engine.log.list(path, { from: last, limit: 20 });
    await engine.log.ids(path, { from: last, not: [ids[9]!], limit: 20 });
    await engine.log.count(path, { from: last, not: [ids[9]!] });
    expect(started).not.toHaveBeenCalled();
    for (let turn = 0; turn < 2; turn++) {
      await engine.log.ids(path, { from: last, not: [ids[8]!], limit: 20 });
      await engine.log.count(path, { from: last, not: [ids[8]!] });
      await engine.log.divergence(path, last, ids[10]!);
      await engine.mergeBases.findOfCommits(path, [last, ids[10]!]);
    }
    expect(started).toHaveBeenCalledTimes(4);
    started.mockRestore();
  });
});

describe('the commits since another one', () => {
  const range = fc.record({ from: fc.nat(), not: fc.nat(), offset: fc.nat(4), limit: fc.integer({ min: 1, max: 12 }) });

  it('equal those of git, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.array(range, { minLength: 6, maxLength: 12 }), async (history, ranges) => {
        const { path, ids } = await build(history);
        for (const { offset, limit, ...ends } of ranges) {
          const [from, not] = [ids[ends.from % ids.length]!, ids[ends.not % ids.length]!];
          const expected = linesOf(gitText(path, ['rev-list', from, `^${not}`]));
          const page = expected.slice(offset, offset + limit);
          expect(await engine.log.ids(path, { from, not: [not], offset, limit })).toEqual(page);
          expect(await engine.log.count(path, { from, not: [not] })).toBe(expected.length);
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('the commits of a history', () => {
  const reachable = (path: string, from: string) => new Set(linesOf(gitText(path, ['rev-list', from])));

  it('equal those of git, whatever was cached before', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, fc.array(fc.nat(), { minLength: 3, maxLength: 8 }), async (history, order) => {
        const { path, ids } = await build(history);
        for (const at of order) {
          const from = ids[at % ids.length]!;
          const expected = reachable(path, from);
          // Some first, so that the cache is only partly filled.
          for (const some of [ids.filter((_, index) => (index + at) % 3 === 0), ids]) {
            const found = await engine.reachability.ancestorsAmong(path, from, some);
            expect(found).toEqual(new Set(some.filter((id) => expected.has(id))));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('are read by git if the walk is too long, also for commits without a branch', async () => {
    const inOrder = anyHistory.map((history) => history.map((each, date) => ({ ...each, date })));
    await fc.assert(
      fc.asyncProperty(inOrder, fc.nat(), async (history, at) => {
        const { path, ids } = await build(history);
        const from = ids[at % ids.length]!;
        const tree = gitText(path, ['rev-parse', `${from}^{tree}`]);
        const unnamed = git(path, ['commit-tree', '-m', 'x', '-p', from, tree]).toString().trim();
        const asking = new Reachability(new GitRunner(), engine.objects, engine.commits, { commits: 1, reads: 1 });
        const expected = reachable(path, from);
        const found = await asking.ancestorsAmong(path, from, [...ids, unnamed]);
        expect(found).toEqual(new Set(ids.filter((id) => expected.has(id))));
      }),
      { numRuns: 10 },
    );
  });
});

describe('branches', () => {
  const mergedOfGit = (path: string, into: string) =>
    linesOf(gitText(path, ['for-each-ref', '--format=%(refname:strip=2)', `--merged=${into}`, 'refs/heads/']));

  it('are merged as in git, while they and the default branch move', async () => {
    const inOrder = anyHistory.map((history) => history.map((each, date) => ({ ...each, date })));
    const move = fc.record({ branch: fc.nat(), to: fc.nat(), isDefault: fc.boolean(), isRenamed: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(inOrder, fc.array(move, { minLength: 3, maxLength: 6 }), async (history, moves) => {
        const { path, ids } = await build(history);
        let main = 'b0';
        for (const { branch, to, isDefault, isRenamed } of moves) {
          const name = `b${branch % ids.length}`;
          if (isRenamed) {
            main = name;
            await engine.storage.setDefaultBranch(path, name);
          } else git(path, ['update-ref', `refs/heads/${isDefault ? main : name}`, ids[to % ids.length]!]);
          const expected = mergedOfGit(path, main).filter((each) => each !== main);
          const branches = await engine.branches.list(path);
          expect(branches.filter(({ isMerged }) => isMerged).map((each) => each.name)).toEqual(expected);
          expect(branches.filter((each) => each.isDefault).map((each) => each.name)).toEqual([main]);
          expect(await engine.branches.get(path, name)).toEqual(branches.find((each) => each.name === name));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('are listed without a process, and none is merged while HEAD names no branch', async () => {
    const { path, ids } = await build(Array.from({ length: 20 }, (_, date) => ({ parents: [0], date })));
    const started = jest.spyOn(GitRunner.prototype, 'run');
    expect((await engine.branches.list(path)).filter(({ isMerged }) => isMerged)).toEqual([]);
    expect(await engine.branches.list(path, 'B19$')).toHaveLength(1);
    await engine.branches.get(path, 'b7');
    expect(started).not.toHaveBeenCalled();
    started.mockRestore();
    git(path, ['update-ref', '--no-deref', 'HEAD', ids[19]!]);
    const branches = await engine.branches.list(path);
    expect(branches.filter(({ isMerged, isDefault }) => isMerged || isDefault)).toEqual([]);
    expect(branches).toHaveLength(20);
  });
});
