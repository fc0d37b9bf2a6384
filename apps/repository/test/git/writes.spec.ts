import { utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitEngine } from '../../src/git/engine';
import { isBranchOrTagName } from '../../src/git/objects/revision';
import { GitRunner } from '../../src/git/process/run-git';
import { ObjectWriter } from '../../src/git/write/object-writer';
import type { FileAction } from '../../src/git/write/write-commit';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, folder, source } = startSample({ imports: { allowsLocalPaths: true } });
const ada = { name: 'Ada', email: 'ada@example.com' };
let repository: string;
let nextProject = 1;

beforeEach(async () => {
  repository = await importSample(engine, source, nextProject++);
});
afterEach(() => {
  gitText(repository, ['fsck', '--strict', '--no-dangling']);
});

function commit(actions: FileAction[], options: { branch?: string; start?: string; force?: boolean } = {}) {
  return engine.commitWriter.write(repository, {
    branch: 'main',
    message: 'Change',
    author: ada,
    committer: ada,
    actions,
    ...options,
  });
}

function show(revisionAndPath: string) {
  return git(repository, ['cat-file', 'blob', revisionAndPath]).toString();
}

it.each([
  { fsync: true, components: 'committed,loose-object,reference' },
  { fsync: false, components: 'none' },
])('acknowledged changes of git are on the disk: $fsync', async ({ fsync, components }) => {
  const runner = new GitRunner(undefined, { fsync });
  expect(await runner.text(repository, ['config', 'core.fsync'])).toBe(`${components}\n`);
});

describe('commits with actions', () => {
  it('contain all actions in one commit, and nothing else', async () => {
    const before = gitText(repository, ['rev-parse', 'main']);
    const change = await commit([
      { action: 'create', filePath: 'new/deep/file.txt', content: 'héllo' },
      {
        action: 'create',
        filePath: 'bin.sh',
        content: Buffer.from('\0\xff', 'latin1').toString('base64'),
        encoding: 'base64',
        executeFilemode: true,
      },
      { action: 'update', filePath: 'README.md', content: 'changed' },
      { action: 'delete', filePath: 'docs/deep/er/x.txt' },
      { action: 'move', previousPath: 'a/1', filePath: 'moved/1' },
      { action: 'chmod', filePath: 'src/main.c', executeFilemode: true },
    ]);
    expect(change).toEqual({ branch: 'main', before, after: gitText(repository, ['rev-parse', 'main']) });
    const listed = gitText(repository, ['diff', '--no-renames', '--raw', '--abbrev=4', before, 'main']).split('\n');
    expect(listed.map((line) => line.replace(/^:(\d+) (\d+) \S+ \S+ /, '$1 $2 ')).sort()).toEqual(
      [
        '000000 100644 A\tmoved/1',
        '000000 100644 A\tnew/deep/file.txt',
        '000000 100755 A\tbin.sh',
        '100644 000000 D\ta/1',
        '100644 000000 D\tdocs/deep/er/x.txt',
        '100644 100644 M\tREADME.md',
        '100644 100755 M\tsrc/main.c',
      ].sort(),
    );
    expect(show('main:new/deep/file.txt')).toBe('héllo');
    expect(git(repository, ['cat-file', 'blob', 'main:bin.sh'])).toEqual(Buffer.from([0, 255]));
    expect(gitText(repository, ['log', '-1', '--format=%an <%ae>|%P|%s', 'main'])).toBe(
      `Ada <ada@example.com>|${before}|Change`,
    );
  });

  it('start an empty repository', async () => {
    repository = await engine.storage.create(`empty-${nextProject}`);
    const change = await commit([{ action: 'create', filePath: 'a', content: '' }]);
    expect(change.before).toBeNull();
    expect(gitText(repository, ['log', '--format=%s', 'main'])).toBe('Change');
  });

  it('start a branch from another, once', async () => {
    const create: FileAction[] = [{ action: 'create', filePath: 'n', content: 'n' }];
    await commit(create, { branch: 'topic', start: 'old' });
    expect(gitText(repository, ['rev-parse', 'topic~1'])).toBe(gitText(repository, ['rev-parse', 'old']));
    await expect(commit(create, { branch: 'topic', start: 'old' })).rejects.toMatchObject({ reason: 'branch_exists' });
    await commit(create, { branch: 'topic', start: 'main', force: true });
    expect(gitText(repository, ['rev-parse', 'topic~1'])).toBe(gitText(repository, ['rev-parse', 'main']));
  });

  it('change files whose names are not UTF-8, and keep the others', async () => {
    const before = gitText(repository, ['ls-tree', '-r', '--name-only', 'main']).split('\n');
    await commit([{ action: 'update', filePath: 'na\\357ve.txt', content: 'new' }]);
    expect(gitText(repository, ['ls-tree', '-r', '--name-only', 'main']).split('\n')).toEqual(before);
    expect(gitText(repository, ['diff', '--name-only', 'main~1', 'main'])).toBe('"na\\357ve.txt"');
  });

  it.each<[string, FileAction, string]>([
    ['an existing file created', { action: 'create', filePath: 'README.md', content: '' }, 'file_exists'],
    ['a folder created as a file', { action: 'create', filePath: 'docs', content: '' }, 'directory_exists'],
    ['a file under a file', { action: 'create', filePath: 'README.md/x', content: '' }, 'file_in_the_way'],
    ['an absent file updated', { action: 'update', filePath: 'nope', content: '' }, 'file_missing'],
    ['an absent file deleted', { action: 'delete', filePath: 'nope' }, 'file_missing'],
    ['an absent file moved', { action: 'move', previousPath: 'nope', filePath: 'x' }, 'file_missing'],
    ['a move without source', { action: 'move', filePath: 'x' }, 'path_invalid'],
    ['a move onto a file', { action: 'move', previousPath: 'a.txt', filePath: 'README.md' }, 'file_exists'],
    ['no content', { action: 'create', filePath: 'x' }, 'content_missing'],
    ['bad Base64', { action: 'create', filePath: 'x', content: '!', encoding: 'base64' }, 'content_invalid'],
    ['..', { action: 'create', filePath: '../x', content: '' }, 'path_invalid'],
    ['. in the middle', { action: 'create', filePath: 'a/./x', content: '' }, 'path_invalid'],
    ['.git', { action: 'create', filePath: '.git/config', content: '' }, 'path_invalid'],
    ['.GIT', { action: 'create', filePath: 'a/.GiT/config', content: '' }, 'path_invalid'],
    ['git~1', { action: 'create', filePath: 'git~1/config', content: '' }, 'path_invalid'],
    ['.git with an invisible letter', { action: 'create', filePath: '.g\u200cit/config', content: '' }, 'path_invalid'],
    ['an absolute path', { action: 'create', filePath: '/x', content: '' }, 'path_invalid'],
    ['an empty part', { action: 'create', filePath: 'a//x', content: '' }, 'path_invalid'],
    ['NUL', { action: 'create', filePath: 'a\0b', content: '' }, 'path_invalid'],
    ['a very long name', { action: 'create', filePath: 'x'.repeat(256), content: '' }, 'path_invalid'],
  ])('refuse %s and do not change the branch', async (_, action, code) => {
    const before = gitText(repository, ['for-each-ref']);
    await expect(commit([{ action: 'create', filePath: 'good', content: 'good' }, action])).rejects.toMatchObject({
      reason: code,
    });
    expect(gitText(repository, ['for-each-ref'])).toBe(before);
  });

  it('refuse a stale last_commit_id', async () => {
    const lastCommitId = gitText(repository, ['log', '-1', '--format=%H', 'main', '--', 'README.md']);
    await commit([{ action: 'update', filePath: 'README.md', content: '1', lastCommitId }]);
    await expect(
      commit([{ action: 'update', filePath: 'README.md', content: '2', lastCommitId }]),
    ).rejects.toMatchObject({ reason: 'file_changed' });
  });

  it('of many concurrent writers are all stored', async () => {
    const other = new GitEngine({ storageName: 'default', storageRoot: `${folder}/storage` });
    const write = (writer: typeof engine, name: string) =>
      writer.commitWriter.write(repository, {
        branch: 'main',
        message: name,
        author: ada,
        committer: ada,
        actions: [{ action: 'create', filePath: name, content: name }],
      });
    const writes = [1, 2, 3, 4].flatMap((n) => [write(engine, `one-${n}`), ...(n === 1 ? [write(other, 'two')] : [])]);
    await Promise.all(writes);
    other.close();
    expect(gitText(repository, ['ls-tree', '--name-only', 'main']).split('\n')).toEqual(
      expect.arrayContaining(['one-1', 'one-2', 'one-3', 'one-4', 'two']),
    );
  });

  it.each(['-x', 'a..b', 'a b', '.a', 'a.lock', 'HEAD', '@', 'refs/heads/x', 'a~1', 'f'.repeat(40), 'a/', 'x\n'])(
    'refuse the branch name %j',
    async (branch) => {
      await expect(
        commit([{ action: 'create', filePath: 'x', content: '' }], { branch, start: 'main' }),
      ).rejects.toMatchObject({ reason: 'refname_invalid' });
    },
  );
});

describe('merges, picks and reverts', () => {
  const request = (branch: string, revision: string) => ({
    branch,
    commitId: gitText(repository, ['rev-parse', `${revision}^{commit}`]),
    committer: ada,
  });

  it('merge without conflicts', async () => {
    await commit([{ action: 'create', filePath: 'topic.txt', content: 't' }], { branch: 'topic', start: 'old' });
    const change = await engine.merges.merge(repository, { ...request('main', 'topic'), message: 'Merge topic' });
    expect(gitText(repository, ['log', '-1', '--format=%P', change.after])).toBe(
      `${change.before} ${gitText(repository, ['rev-parse', 'topic'])}`,
    );
    expect(show('main:topic.txt')).toBe('t');
    expect(show('main:feature.txt')).toBe('feature\n');
  });

  it('refuse conflicts, and change nothing', async () => {
    await commit([{ action: 'update', filePath: 'README.md', content: 'one' }], { branch: 'topic', start: 'old' });
    await commit([{ action: 'update', filePath: 'README.md', content: 'two' }]);
    const before = gitText(repository, ['for-each-ref']);
    await expect(engine.merges.merge(repository, { ...request('main', 'topic'), message: 'm' })).rejects.toMatchObject({
      reason: 'merge_conflict',
    });
    await expect(engine.merges.cherryPick(repository, request('main', 'topic'))).rejects.toMatchObject({
      reason: 'merge_conflict',
    });
    expect(gitText(repository, ['for-each-ref'])).toBe(before);
  });

  it('cherry-pick only the change of the commit, in its author’s name', async () => {
    await commit([{ action: 'create', filePath: 'one', content: '1' }], { branch: 'topic', start: 'feature/one' });
    await commit([{ action: 'create', filePath: 'two', content: '2' }], { branch: 'topic' });
    await engine.merges.cherryPick(repository, {
      ...request('old', 'topic'),
      committer: { name: 'Bob', email: 'bob@example.com' },
    });
    expect(gitText(repository, ['diff', '--name-status', 'old~1', 'old'])).toBe('A\ttwo');
    expect(gitText(repository, ['log', '-1', '--format=%an %cn', 'old'])).toBe('Ada Bob');
  });

  it('revert a commit, and refuse to do it twice', async () => {
    const { after } = await commit([{ action: 'update', filePath: 'README.md', content: 'oops' }]);
    await engine.merges.revert(repository, request('main', after));
    expect(gitText(repository, ['diff', '--stat', 'main~2', 'main'])).toBe('');
    expect(gitText(repository, ['log', '-1', '--format=%s', 'main'])).toBe('Revert "Change"');
    await expect(engine.merges.revert(repository, request('main', after))).rejects.toMatchObject({
      reason: 'nothing_to_apply',
    });
  });
});

describe('branches and tags', () => {
  it('are listed as in git, with merged and default', async () => {
    const names = gitText(source, ['for-each-ref', '--format=%(refname:strip=2)', 'refs/heads']).split('\n');
    const branches = await engine.branches.list(repository);
    expect(branches.map((branch) => branch.name)).toEqual(names);
    const merged = gitText(source, [
      'for-each-ref',
      '--format=%(refname:strip=2)',
      '--merged=main',
      'refs/heads',
    ]).split('\n');
    expect(branches.filter((branch) => branch.isMerged).map((branch) => branch.name)).toEqual(
      merged.filter((name) => name !== 'main'),
    );
    expect(branches.find((branch) => branch.isDefault)!.name).toBe('main');
    expect((await engine.branches.list(repository, '^fea')).map((branch) => branch.name)).toEqual(['feature/one']);
    expect((await engine.branches.list(repository, 'ED$')).map((branch) => branch.name)).toEqual(['merged']);
    expect((await engine.branches.list(repository, 'l')).map((branch) => branch.name)).toEqual(['island', 'old']);
  });

  it('are created once, from any revision, and removed', async () => {
    const branch = await engine.branches.create(repository, 'x/y', 'v1.0');
    expect(branch.commitId).toBe(gitText(source, ['rev-parse', 'v1.0^{commit}']));
    await expect(engine.branches.create(repository, 'x/y', 'main')).rejects.toMatchObject({ reason: 'branch_exists' });
    await expect(engine.branches.create(repository, 'x', 'main')).rejects.toMatchObject({ reason: 'ref_conflict' });
    await expect(engine.branches.create(repository, 'z', 'nope')).rejects.toThrow('Invalid reference name: nope');
    await expect(engine.branches.create(repository, '--all', 'main')).rejects.toMatchObject({
      reason: 'refname_invalid',
    });
    await engine.branches.remove(repository, 'x/y');
    await expect(engine.branches.get(repository, 'x/y')).rejects.toMatchObject({ reason: 'branch_not_found' });
    await expect(engine.branches.remove(repository, 'main')).rejects.toMatchObject({ reason: 'default_branch_kept' });
  });

  it('are deleted together if merged, except one that moves meanwhile', async () => {
    await engine.branches.create(repository, 'moved-on', 'old');
    await engine.branches.create(repository, 'gone', 'old');
    const action: FileAction = { action: 'create', filePath: 'late', content: 'late' };
    // A change while the branches are read.
    const meanwhile = commit([action], { branch: 'moved-on' }).then(() => engine.branches.remove(repository, 'gone'));
    const list = engine.branches.list.bind(engine.branches);
    const listing = jest.spyOn(engine.branches, 'list').mockImplementationOnce(async (...args) => {
      const found = await list(...args);
      await meanwhile;
      return found;
    });
    await engine.branches.removeMerged(repository, (name) => name !== 'merged');
    listing.mockRestore();
    const left = (await engine.branches.list(repository)).filter(({ isMerged }) => isMerged);
    expect(left.map(({ name }) => name)).toEqual(['merged']);
    expect(show('moved-on:late')).toBe('late');
  });

  it('are changed in spite of a lock of a killed git process, but not of a running one', async () => {
    const lock = `${repository}/refs/heads/locked.lock`;
    writeFileSync(lock, '');
    await expect(engine.branches.create(repository, 'locked', 'main')).rejects.toMatchObject({
      reason: 'ref_moved',
    });
    utimesSync(lock, new Date(0), new Date(0));
    expect((await engine.branches.create(repository, 'locked', 'main')).name).toBe('locked');
  });

  it('become the default if that does not exist yet', async () => {
    const fresh = await engine.storage.create(`fresh-${nextProject}`, { defaultBranch: 'trunk' });
    git(source, ['push', '-q', fresh, 'old', 'main']);
    const update = (name: string) => ({
      refName: `refs/heads/${name}`,
      before: null,
      after: gitText(fresh, ['rev-parse', name]),
    });
    expect(await engine.branches.adoptDefault(fresh, [update('old'), update('main')])).toBe('main');
    expect(await engine.branches.adoptDefault(fresh, [update('old')])).toBeNull();
    expect(await engine.storage.defaultBranch(fresh)).toBe('main');
  });

  it('distinguishes annotated tags from others', async () => {
    expect(await engine.tags.get(repository, 'light')).toMatchObject({
      message: null,
      commitId: gitText(source, ['rev-parse', 'light']),
    });
    const annotated = await engine.tags.get(repository, 'v1.0');
    expect(annotated).toMatchObject({
      message: 'Version one\n\nLong text',
      targetId: gitText(source, ['rev-parse', 'v1.0']),
    });
    expect(annotated.commitId).toBe(gitText(source, ['rev-parse', 'v1.0^{commit}']));
    expect((await engine.tags.list(repository)).map((tag) => tag.name)).toEqual(['light', 'same', 'v1.0']);
  });

  it('creates tags of both kinds, and refuses what git refuses', async () => {
    await engine.tags.create(repository, 't/1', 'main', { message: 'Hello\n\nmore', tagger: ada });
    expect(gitText(repository, ['tag', '-l', '--format=%(contents)|%(taggername)', 't/1'])).toBe('Hello\n\nmore\n|Ada');
    await engine.tags.create(repository, 't/2', 'main');
    expect(gitText(repository, ['cat-file', '-t', 't/2'])).toBe('commit');
    await expect(engine.tags.create(repository, 't/1', 'main')).rejects.toThrow('Tag t/1 already exists');
    await engine.tags.remove(repository, 't/1');
    await expect(engine.tags.remove(repository, 't/1')).rejects.toMatchObject({ reason: 'tag_not_found' });
  });

  it.each([
    'a',
    'a/b',
    'a.b',
    'ü',
    'a-',
    'a@b',
    'a/.b',
    'a..b',
    'a.',
    '/a',
    'a//b',
    'a[',
    'a\\b',
    'a?',
    'a*',
    'a:b',
    'a^',
    '@{',
    'a@{b',
    'x.lock',
    'x.lock/y',
    '-a',
    '{a}',
    'a\x7f',
  ])('accepts the name %j exactly when git does', (name) => {
    const takes = () => {
      try {
        git('/', ['check-ref-format', '--branch', name]);
        return true;
      } catch {
        return false;
      }
    };
    expect(isBranchOrTagName(name)).toBe(takes());
  });
});

describe('storage and import', () => {
  it('makes, finds and removes repositories', async () => {
    const path = await engine.storage.create('p', { kind: 'wiki' });
    expect(path).toMatch(/@hashed\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}\.wiki\.git$/);
    await expect(engine.storage.create('p', { kind: 'wiki' })).rejects.toMatchObject({ reason: 'repository_exists' });
    await engine.remove(path);
    expect(await engine.storage.exists(path)).toBe(false);
    await expect(engine.objects.resolve(path, 'main')).rejects.toMatchObject({ reason: 'repository_not_found' });
    await engine.remove(path);
  });

  it('reports a repository that is removed during a command as missing', async () => {
    const path = await engine.storage.create('under-way');
    await engine.remove(path);
    await expect(engine.refs.list(path, 'heads')).rejects.toMatchObject({ reason: 'repository_not_found' });
    const fork = engine.copies.fork(path, engine.storage.path('fork-of-it'));
    await expect(fork).rejects.toMatchObject({ reason: 'repository_not_found' });
    expect(await engine.storage.exists(engine.storage.path('fork-of-it'))).toBe(false);
  });

  it('fails if git succeeds, and an object that it wrote cannot be moved to its place', async () => {
    const path = await engine.storage.create('no-place');
    const blob = git(path, ['hash-object', '--stdin'], { input: 'text' }).toString();
    await writeFile(join(path, 'objects', blob.slice(0, 2)), '');
    const writer = new ObjectWriter(new GitRunner());
    writer.blob(Buffer.from('text'));
    await expect(writer.flush(path)).rejects.toMatchObject({ reason: 'git_failed' });
  });

  it('forks and measures while git creates and removes temporary folders', async () => {
    const [path, folders] = [await importSample(engine, source, nextProject++), join('objects', 'tmp_objdir-incoming')];
    const sizeBytes = await engine.storage.sizeBytes(path);
    let isBusy = true;
    const busy = (async () => {
      for (let at = 0; isBusy; at++) {
        const folder = join(path, `${folders}-${at}`);
        await mkdir(join(folder, '17'), { recursive: true });
        await rm(folder, { recursive: true });
      }
    })();
    try {
      for (let at = 0; at < 20; at++) {
        await engine.copies.fork(path, engine.storage.path(`busy-fork-${at}`));
        expect(await engine.storage.sizeBytes(path)).toBe(sizeBytes);
      }
    } finally {
      isBusy = false;
      await busy;
    }
  });

  // Regression: the fuzzer read diffs and raw files of a project that was deleted meanwhile: 500.
  it('reports it also if it is read as a stream', async () => {
    const path = await engine.storage.create('read-under-way');
    const blob = git(path, ['hash-object', '-w', '--stdin'], { input: 'text' }).toString().trim();
    const found = await engine.objects.streamBlob(path, blob);
    await engine.remove(path);
    await expect(found!.stream()).rejects.toMatchObject({ reason: 'repository_not_found' });
    await expect(engine.diffs.compare(path, null, blob)).rejects.toMatchObject({ reason: 'repository_not_found' });
  });

  it('shows nothing of a removed repository in a new one at its place', async () => {
    const id = (await engine.objects.resolve(repository, 'main'))!;
    expect(await engine.commits.get(repository, id)).not.toBeNull();
    await engine.remove(repository);
    repository = await engine.storage.create(nextProject - 1);
    expect(await engine.commits.get(repository, id)).toBeNull();
  });

  it('imports refs and the default branch of another repository', async () => {
    git(source, ['symbolic-ref', 'HEAD', 'refs/heads/feature/one']);
    const path = await engine.imports.import('imported', { url: `file://${source}` });
    git(source, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
    expect(gitText(path, ['for-each-ref'])).toBe(gitText(source, ['for-each-ref']));
    expect(await engine.storage.defaultBranch(path)).toBe('feature/one');
  });

  it.each([
    ['file:///nowhere', 'import_failed'],
    ['ext::sh -c id', 'url_refused'],
    ['ssh://-oProxyCommand=x/y', 'url_refused'],
    ['/etc', 'url_refused'],
    ['ftp://example.com/x', 'url_refused'],
    ['http://127.0.0.1:1/x.git', 'import_failed'],
  ])('leaves nothing when %s fails', async (url, code) => {
    await expect(engine.imports.import('failing', { url })).rejects.toMatchObject({ reason: code });
    expect(await engine.storage.exists(engine.storage.path('failing'))).toBe(false);
  });

  it('stops at the size limit', async () => {
    await expect(engine.imports.import('failing', { url: `file://${source}`, maxBytes: 100 })).rejects.toMatchObject({
      reason: 'import_too_large',
    });
    expect(await engine.storage.exists(engine.storage.path('failing'))).toBe(false);
  });
});
