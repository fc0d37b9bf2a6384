import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeName } from '../../src/git/process/text';
import type { RefKind } from '../../src/git/refs/refs';
import { git, makeEngine } from './build-repository';

const { engine, dispose } = makeEngine();
beforeAll(() => engine.start());
afterAll(dispose);

const COMMITS = 6;
let made = 0;

/** A repository with a linear history, and no refs. */
async function newRepository() {
  const path = await engine.storage.create(`refs-${++made}`);
  const tree = git(path, ['mktree'], { input: '' }).toString().trim();
  const commits: string[] = [];
  for (let index = 0; index < COMMITS; index++) {
    const parents = commits.slice(-1).flatMap((id) => ['-p', id]);
    commits.push(
      git(path, ['commit-tree', '-m', `${made} ${index}`, ...parents, tree])
        .toString()
        .trim(),
    );
  }
  return { path, commits };
}

/** The refs of a kind according to git. */
function listOfGit(path: string, kind: RefKind) {
  const fields = '%(refname) %(objectname) %(objecttype)';
  const lines = git(path, ['for-each-ref', `--format=${fields}`, `refs/${kind}/`]).toString('latin1');
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [refName, targetId, targetType] = line.split(' ') as [string, string, string];
      const commitId = targetType === 'commit' ? targetId : peel(path, targetId);
      return {
        name: decodeName(Buffer.from(refName.slice(`refs/${kind}/`.length), 'latin1')),
        targetId,
        targetType,
        commitId,
      };
    });
}

function peel(path: string, id: string): string | null {
  try {
    return git(path, ['rev-parse', '--verify', '-q', `${id}^{commit}`])
      .toString()
      .trim();
  } catch {
    return null;
  }
}

/** Makes the last change look old. */
function age(folder: string): void {
  const past = new Date(Date.now() - 60_000);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) age(join(folder, entry.name));
  }
  utimesSync(folder, past, past);
}

const name = fc.constantFrom('a', 'b', 'c', 'x/a', 'x/b', 'x/y/z', 'größe');
const step = fc.oneof(
  fc.record({ do: fc.constant('point' as const), name, commit: fc.nat(COMMITS - 1) }),
  fc.record({ do: fc.constant('delete' as const), name }),
  fc.record({ do: fc.constant('pack' as const) }),
  fc.record({ do: fc.constant('age' as const) }),
);

it('are listed as in git after any changes by others, loose and packed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { path, commits } = await newRepository();
      for (const each of steps) {
        if (each.do === 'pack') git(path, ['pack-refs', '--all']);
        else if (each.do === 'age') age(join(path, 'refs'));
        else if (each.do === 'delete') git(path, ['update-ref', '-d', `refs/heads/${each.name}`]);
        else git(path, ['update-ref', `refs/heads/${each.name}`, commits[each.commit]!]);
        expect(await engine.refs.list(path, 'heads')).toEqual(listOfGit(path, 'heads'));
      }
    }),
    { numRuns: 15 },
  );
});

it('by the thousand have the same cached list until one changes, in any storage format', async () => {
  const { path, commits } = await newRepository();
  const lines = Array.from(
    { length: 3000 },
    (_, index) => `create refs/heads/team-${index % 7}/n${index} ${commits[index % COMMITS]}\n`,
  );
  git(path, ['update-ref', '--stdin'], { input: lines.join('') });
  const inFiles = await engine.refs.list(path, 'heads');
  expect(inFiles).toEqual(listOfGit(path, 'heads'));
  expect(await engine.refs.list(path, 'heads')).toBe(inFiles);
  age(join(path, 'refs'));
  expect(await engine.refs.list(path, 'heads')).toBe(inFiles);

  git(path, ['update-ref', 'refs/heads/team-3/n3', commits[0]!]);
  const moved = await engine.refs.list(path, 'heads');
  expect(moved.find((ref) => ref.name === 'team-3/n3')!.commitId).toBe(commits[0]);

  git(path, ['pack-refs', '--all', '--prune']);
  const packed = await engine.refs.list(path, 'heads');
  expect(packed).toEqual(moved);
  age(join(path, 'refs'));
  expect(await engine.refs.list(path, 'heads')).toBe(packed);
  git(path, ['update-ref', '-d', 'refs/heads/team-0/n0']);
  expect(await engine.refs.list(path, 'heads')).toHaveLength(2999);
});

// Within one tick of the file system's clock a folder's time does not change.
it('are visible immediately when they change often', async () => {
  const { path, commits } = await newRepository();
  let before: string | null = null;
  for (let turn = 0; turn < 30; turn++) {
    const after = commits[turn % COMMITS]!;
    await engine.refs.update(path, [{ refName: 'refs/heads/busy', before, after }]);
    expect((await engine.refs.list(path, 'heads')).map((ref) => ref.commitId)).toEqual([after]);
    before = after;
  }
});

it('lead through tags of tags to commits, or to none', async () => {
  const { path, commits } = await newRepository();
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const blob = git(path, ['hash-object', '-w', '--stdin'], { input: 'x' }).toString().trim();
  git(path, ['update-ref', 'refs/heads/same', commits[0]!]);
  git(path, ['update-ref', 'refs/tags/same', commits[1]!]);
  git(path, [...identity, 'tag', '-a', '-m', 'x', 'inner', commits[2]!]);
  git(path, [...identity, 'tag', '-a', '-m', 'x', 'outer', 'inner']);
  git(path, ['tag', 'blob', blob]);
  git(path, [...identity, 'tag', '-a', '-m', 'x', 'noted-blob', blob]);
  for (const kind of ['heads', 'tags'] as const) {
    const expected = listOfGit(path, kind);
    expect(await engine.refs.list(path, kind)).toEqual(expected);
    for (const ref of expected) expect(await engine.refs.find(path, kind, ref.name)).toEqual(ref);
  }
});

it('that are symbolic are followed, and broken ones are omitted', async () => {
  const { path, commits } = await newRepository();
  git(path, ['update-ref', 'refs/heads/trunk', commits[0]!]);
  git(path, ['symbolic-ref', 'refs/heads/alias', 'refs/tags/moving']);
  git(path, ['symbolic-ref', 'refs/heads/dangling', 'refs/heads/nowhere']);
  for (const commit of commits.slice(0, 2)) {
    git(path, ['update-ref', 'refs/tags/moving', commit]);
    age(join(path, 'refs'));
    expect(await engine.refs.list(path, 'heads')).toEqual(listOfGit(path, 'heads'));
  }
});

it('whose names are not UTF-8 are listed', async () => {
  const { path, commits } = await newRepository();
  const input = Buffer.from(
    `create refs/heads/caf\xe9/x ${commits[0]}\ncreate refs/heads/caf\xe9/y ${commits[1]}\n`,
    'latin1',
  );
  git(path, ['update-ref', '--stdin'], { input });
  expect(await engine.refs.list(path, 'heads')).toEqual(listOfGit(path, 'heads'));
  git(path, ['pack-refs', '--all']);
  expect(await engine.refs.list(path, 'heads')).toEqual(listOfGit(path, 'heads'));
});

it('of a removed repository, or of a new one at its place, are not the old ones', async () => {
  const path = await engine.storage.create('again');
  const tree = git(path, ['mktree'], { input: '' }).toString().trim();
  git(path, ['update-ref', 'refs/heads/main', git(path, ['commit-tree', '-m', 'x', tree]).toString().trim()]);
  expect(await engine.refs.list(path, 'heads')).toHaveLength(1);
  await engine.remove(path);
  await expect(engine.refs.list(path, 'heads')).rejects.toMatchObject({ reason: 'repository_not_found' });
  await engine.storage.create('again');
  expect(await engine.refs.list(path, 'heads')).toEqual([]);
});
