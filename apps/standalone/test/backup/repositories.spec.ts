import { execFileSync, spawn } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RepositoryCopies } from '../../src/backup/copy-repositories';
import { Draft } from '../../src/backup/draft';

/* Repositories that change during the copy, with real git. */

jest.setTimeout(120_000);

const place = '@hashed/ab/cd/abcd.git';
let folder: string;
let draft: Draft;
let copies: RepositoryCopies;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-copies-'));
  await begin('draft');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inside = (...names: string[]) => path.join(folder, ...names);
const original = () => inside('default', place);
const copy = (storage = 'default') => inside('draft', 'storages', storage, place);

async function begin(name: string, previous?: string): Promise<void> {
  draft = await Draft.begin(inside(name), previous);
  const storages = ['default', 'second'].map((storage): [string, string] => [storage, inside(storage)]);
  copies = new RepositoryCopies(draft, new Map(storages));
}

function git(repository: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function makeRepository(storage = 'default'): void {
  const repository = inside(storage, place);
  mkdirSync(repository, { recursive: true });
  git(repository, 'init', '--quiet', '--bare', '--initial-branch=main');
  for (let index = 0; index < 3; index++) commit(repository, 'main', `file ${index}`);
}

/** A commit of one file on a branch, without a work tree. */
function commit(repository: string, branch: string, content: string): string {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: repository,
    input: content,
    encoding: 'utf8',
  });
  const tree = execFileSync('git', ['mktree'], {
    cwd: repository,
    input: `100644 blob ${blob.trim()}\tfile\n`,
    encoding: 'utf8',
  });
  const parents = git(repository, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  const id = git(repository, 'commit-tree', tree.trim(), '-m', content, ...(parents ? ['-p', parents] : []));
  git(repository, 'update-ref', `refs/heads/${branch}`, id);
  return id;
}

const refs = (repository: string) => git(repository, 'for-each-ref');
const isWhole = (repository: string) => git(repository, 'fsck', '--full', '--strict', '--no-dangling');

it('has the refs of the later round, and none that were removed since', async () => {
  makeRepository();
  commit(original(), 'gone', 'of a branch that goes');
  await copies.round();
  expect(refs(copy())).toBe(refs(original()));
  git(original(), 'update-ref', '-d', 'refs/heads/gone');
  commit(original(), 'gone/below', 'where a file was is a folder');
  git(original(), 'pack-refs', '--all');
  commit(original(), 'main', 'last');
  await copies.round();
  expect(refs(copy())).toBe(refs(original()));
  isWhole(copy());
});

it('has refs that are packed for the first time while they are read', async () => {
  makeRepository();
  const look = fs.lstatSync;
  const looks = jest.spyOn(fs, 'lstatSync').mockImplementation(((file: string, options?: fs.StatSyncOptions) => {
    if (file === path.join(original(), 'refs')) git(original(), 'pack-refs', '--all');
    return look(file, options);
  }) as typeof look);
  await copies.round();
  looks.mockRestore();
  expect(existsSync(path.join(original(), 'refs/heads/main'))).toBe(false);
  expect(refs(copy())).toBe(refs(original()));
});

it('is complete after each round during pushes, deletions and repacks', async () => {
  makeRepository();
  const busy = `
    i=0; while [ ! -e stop ]; do i=$((i+1))
      id=$(git -c user.name=A -c user.email=a@example.com commit-tree main^{tree} -p main -m "$i")
      git update-ref refs/heads/main $id; git update-ref refs/heads/b$i $id
      git update-ref -d refs/heads/b$((i-3)) 2>/dev/null
      [ $((i % 3)) = 0 ] && git pack-refs --all --prune && git repack -q -d -l -A --unpack-unreachable=2.weeks.ago && git prune --expire=2.weeks.ago
    done; exit 0`;
  const others = spawn('sh', ['-c', busy], { cwd: original(), stdio: 'ignore' });
  const ended = new Promise((resolve) => others.once('exit', resolve));
  try {
    for (let round = 0; round < 15; round++) {
      await copies.round();
      isWhole(copy());
      expect(Number(git(copy(), 'rev-list', '--count', 'main'))).toBeGreaterThan(2);
    }
  } finally {
    writeFileSync(path.join(original(), 'stop'), '');
    await ended;
  }
});

it('keeps an earlier copy of a repository that was removed', async () => {
  makeRepository();
  await copies.round();
  const before = refs(original());
  rmSync(original(), { recursive: true });
  await copies.round();
  expect(refs(copy())).toBe(before);
  isWhole(copy());
});

it('has a repository that moved to another storage in both places', async () => {
  makeRepository();
  await copies.round();
  mkdirSync(path.dirname(inside('second', place)), { recursive: true });
  renameSync(original(), inside('second', place));
  const last = commit(inside('second', place), 'main', 'after the move');
  await copies.round();
  for (const storage of ['default', 'second']) {
    expect(git(copy(storage), 'rev-parse', 'main')).toBe(last);
    isWhole(copy(storage));
  }
});

it('links unchanged object files to the previous backup, and copies changed ones', async () => {
  makeRepository();
  git(original(), 'repack', '-q', '-a', '-d');
  await copies.round();
  draft.writeList();
  await begin('later', inside('draft'));
  commit(original(), 'main', 'new');
  await copies.round();
  const later = inside('later', 'storages/default', place);
  isWhole(later);
  const [pack] = git(original(), 'count-objects', '-v').match(/packs: \d+/) ?? [];
  expect(pack).toBe('packs: 1');
  const names = execFileSync('ls', [path.join(original(), 'objects/pack')], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const inodes = (repository: string) => names.map((name) => statSync(path.join(repository, 'objects/pack', name)).ino);
  expect(inodes(later)).toEqual(inodes(copy()));
  // The earlier backup is unchanged.
  expect(git(copy(), 'rev-list', '--count', 'main')).toBe('3');
  const file = path.join('refs/heads/main');
  expect(readFileSync(path.join(copy(), file), 'utf8')).not.toBe(readFileSync(path.join(later, file), 'utf8'));
});

it('contains nothing of a repository that was created and removed between two rounds', async () => {
  makeRepository();
  const keep = draft.keepTree.bind(draft);
  // It is deleted after its refs were read.
  jest.spyOn(draft, 'keepTree').mockImplementationOnce(async (source, at, tree) => {
    await keep(source, at, tree);
    rmSync(original(), { recursive: true });
  });
  await copies.round();
  expect(existsSync(copy())).toBe(false);
});
