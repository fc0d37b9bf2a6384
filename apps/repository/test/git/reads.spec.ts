import { createHash } from 'node:crypto';
import { GitRunner } from '../../src/git/process/run-git';
import { decodeName, unquoteName } from '../../src/git/process/text';
import { DiffReader } from '../../src/git/read/diff';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();
let repository: string;
beforeAll(async () => {
  repository = await importSample(engine, source);
});

function lsTree(args: string[]) {
  const output = git(source, ['ls-tree', '-z', ...args]).toString('latin1');
  return output
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [, mode, type, id, path] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(line)!;
      return { mode, type, id, path: decodeName(Buffer.from(path!, 'latin1')) };
    });
}

async function treeOf(revision: string) {
  return (await engine.commits.find(repository, revision))!.treeId;
}

describe('revisions', () => {
  it.each([
    'main',
    'light',
    'v1.0',
    'feature/one',
    'main~1',
    'main^2',
    'v1.0~2',
    'HEAD',
    'refs/heads/main',
    'refs/tags/light',
  ])('resolves %s as git does', async (revision) => {
    expect(await engine.objects.resolve(repository, revision)).toBe(
      gitText(source, ['rev-parse', `${revision}^{commit}`]),
    );
  });

  it('distinguishes a branch and a tag of the same name', async () => {
    expect(await engine.objects.resolve(repository, 'same')).toBe(gitText(source, ['rev-parse', 'refs/heads/same']));
    expect(await engine.objects.resolve(repository, 'same', 'tag')).toBe(
      gitText(source, ['rev-parse', 'refs/tags/same']),
    );
  });

  it('are found by full and abbreviated object ids', async () => {
    const id = gitText(source, ['rev-parse', 'main']);
    expect(await engine.objects.resolve(repository, id)).toBe(id);
    expect(await engine.objects.resolve(repository, id.slice(0, 8))).toBe(id);
  });

  it.each([
    '',
    'nope',
    '--all',
    '-x',
    'main\nmain',
    'a\0b',
    '@{-1}',
    ':/First',
    'main:README.md',
    '../HEAD',
    '0'.repeat(40),
  ])('finds no commit for %j', async (revision) => {
    expect(await engine.objects.resolve(repository, revision)).toBeNull();
  });

  it('are not found by a name that is far too long', async () => {
    expect(await engine.objects.resolve(repository, 'x'.repeat(5000))).toBeNull();
  });

  it('refuses 64-digit object ids in words', async () => {
    await expect(engine.objects.resolve(repository, 'a'.repeat(64))).rejects.toMatchObject({
      reason: 'object_id_unsupported',
    });
    await expect(engine.objects.read(repository, 'a'.repeat(64))).rejects.toMatchObject({
      reason: 'object_id_unsupported',
    });
  });

  it('answers null for everything in an empty repository', async () => {
    const empty = await engine.storage.create('empty', { defaultBranch: 'trunk' });
    expect(await engine.objects.resolve(empty)).toBeNull();
    expect(await engine.branches.list(empty)).toEqual([]);
    expect(await engine.contributors.list(empty)).toBeNull();
    expect(await engine.storage.defaultBranch(empty)).toBe('trunk');
    expect((await engine.statistics.read(empty)).commitCount).toBe(0);
  });
});

describe('trees', () => {
  it('lists the root like git, folders first', async () => {
    const page = (await engine.trees.list(repository, await treeOf('main'), { limit: 1000 }))!;
    const expected = lsTree(['main']);
    expect(page.total).toBe(expected.length);
    expect(new Set(page.entries.map(({ name: _, ...rest }) => JSON.stringify(rest)))).toEqual(
      new Set(expected.map(({ id, type, path, mode }) => JSON.stringify({ id, type, path, mode }))),
    );
    expect(page.entries.filter((entry) => entry.type === 'tree').map((entry) => entry.name)).toEqual([
      'a',
      'a dir',
      'a-b',
      'docs',
      'src',
      'vendor',
    ]);
  });

  it('shows names that are not UTF-8, and finds them again', async () => {
    const tree = await treeOf('main');
    const found = await engine.trees.find(repository, tree, 'na\\357ve.txt');
    expect(found!.id).toBe(lsTree(['main']).find((entry) => entry.path.startsWith('na\\'))!.id);
    expect(await engine.trees.find(repository, tree, 'größe – 漢字.txt')).not.toBeNull();
  });

  it('has modes and types of links, executables and submodules', async () => {
    const tree = await treeOf('feature/one');
    expect(await engine.trees.find(repository, tree, 'link')).toMatchObject({ mode: '120000', type: 'blob' });
    expect(await engine.trees.find(repository, tree, 'run.sh')).toMatchObject({ mode: '100755' });
    expect(await engine.trees.find(repository, tree, 'vendor/lib')).toMatchObject({ mode: '160000', type: 'commit' });
  });

  it('lists recursively, depth first, any page equal to that part of the whole', async () => {
    const tree = await treeOf('main');
    const whole = (await engine.trees.list(repository, tree, { recursive: true, limit: 1000 }))!;
    expect(new Set(whole.entries.map((entry) => `${entry.mode} ${entry.type} ${entry.id} ${entry.path}`))).toEqual(
      new Set(lsTree(['-r', '-t', 'main']).map((entry) => `${entry.mode} ${entry.type} ${entry.id} ${entry.path}`)),
    );
    expect(whole.total).toBe(whole.entries.length);
    for (let offset = 0; offset <= whole.total; offset++) {
      const page = await engine.trees.list(repository, tree, { recursive: true, start: { offset }, limit: 3 });
      expect(page!.entries).toEqual(whole.entries.slice(offset, offset + 3));
      if (offset === 0) continue;
      const after = whole.entries[offset - 1]!.path;
      const next = await engine.trees.list(repository, tree, { recursive: true, start: { after }, limit: 3 });
      expect(next!.entries).toEqual(whole.entries.slice(offset, offset + 3));
    }
  });

  it('list a subfolder, and return null for other objects', async () => {
    const tree = await treeOf('main');
    const page = await engine.trees.list(repository, tree, { path: '/docs/deep/', recursive: true, limit: 9 });
    expect(page!.entries.map((entry) => entry.path)).toEqual(['docs/deep/er', 'docs/deep/er/x.txt']);
    expect(await engine.trees.list(repository, tree, { path: 'README.md', limit: 9 })).toBeNull();
    expect(await engine.trees.list(repository, tree, { path: '../etc', limit: 9 })).toBeNull();
  });
});

describe('blobs', () => {
  it('have the bytes git has, all of them', async () => {
    for (const entry of lsTree(['-r', 'main']).filter(({ type }) => type === 'blob')) {
      const blob = await engine.objects.read(repository, entry.id!);
      expect(blob!.content.equals(git(source, ['cat-file', 'blob', entry.id!]))).toBe(true);
    }
  });

  it('are refused over a limit before they are read', async () => {
    const { id } = (await engine.trees.find(repository, await treeOf('main'), 'src/digits.txt'))!;
    await expect(engine.objects.read(repository, id, 10)).rejects.toMatchObject({ reason: 'object_too_large' });
  });

  it('are streamed when they are large', async () => {
    const big = Buffer.alloc(3 << 20, 'moothall');
    const id = git(repository, ['hash-object', '-w', '--stdin'], { input: big }).toString().trim();
    const blob = (await engine.objects.streamBlob(repository, id))!;
    expect(blob.sizeBytes).toBe(big.length);
    const stream = await blob.stream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(big)).toBe(true);
  });

  it('of another repository are not readable here', async () => {
    const other = await engine.storage.create('other');
    const { id } = (await engine.trees.find(repository, await treeOf('main'), 'README.md'))!;
    expect(await engine.objects.read(other, id)).toBeNull();
  });
});

describe('commits', () => {
  const FORMAT = '%H%x00%T%x00%P%x00%an%x00%ae%x00%ai%x00%cn%x00%ci%x00%B';

  it('have the fields git shows, encodings and offsets included', async () => {
    const ids = gitText(source, ['rev-list', '--all']).split('\n');
    for (const commit of await engine.commits.list(repository, ids)) {
      const fields = git(source, ['log', '-1', '--encoding=UTF-8', `--format=${FORMAT}`, commit.id])
        .toString()
        .split('\0');
      const date = (text: string) => text.replace(/^(\S+) (\S+) (...)(..)$/, '$1T$2.000$3:$4');
      expect([
        commit.id,
        commit.treeId,
        commit.parentIds.join(' '),
        commit.author.name,
        commit.author.email,
        commit.author.date,
      ]).toEqual([...fields.slice(0, 5), date(fields[5]!)]);
      expect([commit.committer.name, commit.committer.date]).toEqual([fields[6], date(fields[7]!)]);
      expect(commit.message.trimEnd()).toBe(fields[8]!.trimEnd());
    }
  });

  it.each([
    [{}, []],
    [{ path: 'src' }, ['--', 'src']],
    [{ firstParent: true }, ['--first-parent']],
    [{ noMerges: true, order: 'topo' as const }, ['--no-merges', '--topo-order']],
    [
      { since: '2012-09-20T11:00:00Z', until: '2012-09-20T14:00:00Z' },
      ['--since=2012-09-20T11:00:00Z', '--until=2012-09-20T14:00:00Z'],
    ],
    [{ author: 'cy@' }, ['--author=cy@']],
  ])('are listed and counted like git with %j', async (query, args) => {
    const from = (await engine.objects.resolve(repository, 'main'))!;
    const [options, paths] = args[0] === '--' ? [[], args] : [args, []];
    const expected = gitText(source, ['rev-list', ...options, 'main', ...paths])
      .split('\n')
      .filter(Boolean);
    expect(await engine.log.ids(repository, { from, limit: 100, ...query })).toEqual(expected);
    expect(await engine.log.ids(repository, { from, limit: 2, offset: 1, ...query })).toEqual(expected.slice(1, 3));
    expect(await engine.log.count(repository, { from, ...query })).toBe(expected.length);
  });

  it('have line counts like git, merges against their first parent', async () => {
    const ids = gitText(source, ['rev-list', 'main']).split('\n');
    const stats = await engine.commitStats.get(repository, ids);
    for (const id of ids) {
      const shown = gitText(source, ['show', '--first-parent', '-m', '--format=', '--shortstat', '-M', id]);
      expect(stats.get(id)).toEqual({
        additions: Number(/(\d+) insertion/.exec(shown)?.[1] ?? 0),
        deletions: Number(/(\d+) deletion/.exec(shown)?.[1] ?? 0),
      });
    }
  });

  it('include the last commit of a path, and how far branches are apart', async () => {
    const from = (await engine.objects.resolve(repository, 'main'))!;
    expect(await engine.log.lastCommitOf(repository, from, 'src')).toBe(
      gitText(source, ['log', '-1', '--format=%H', 'main', '--', 'src']),
    );
    expect(await engine.log.lastCommitOf(repository, from, '*.md')).toBeNull();
    const [old] = await Promise.all([engine.objects.resolve(repository, 'old')]);
    expect(await engine.log.divergence(repository, from, old!)).toEqual({
      ahead: 0,
      behind: Number(gitText(source, ['rev-list', '--count', 'old..main'])),
    });
  });
});

describe('comparisons', () => {
  function gitDiff(range: string[]) {
    return git(source, ['diff', '-M', '--src-prefix=a/', '--dst-prefix=b/', ...range]).toString('latin1');
  }

  it.each([
    ['old', 'main', false],
    ['main', 'feature/one', false],
    ['main', 'feature/one', true],
    ['main', 'island', true],
    ['feature/one', 'same', true],
  ])('of %s and %s (straight %s) have the files, modes, texts and commits of git', async (from, to, straight) => {
    const comparison = await engine.compares.compare(repository, from, to, { straight });
    const base = straight
      ? `refs/heads/${from}`
      : gitText(source, ['merge-base', `refs/heads/${from}`, `refs/heads/${to}`]);
    const patches = gitDiff([base, `refs/heads/${to}`])
      .split(/^(?=diff --git )/m)
      .filter(Boolean);
    expect(comparison.diffs).toHaveLength(patches.length);
    comparison.diffs.forEach((diff, index) => {
      const at = patches[index]!.search(/^(@@|Binary files)/m);
      const expected = at < 0 ? Buffer.alloc(0) : Buffer.from(patches[index]!.slice(at), 'latin1');
      expect([diff.diff]).toContain(
        expected.toString('utf8').includes('\ufffd') ? expected.toString('latin1') : expected.toString('utf8'),
      );
    });
    expect(comparison.commits.map((commit) => commit.id)).toEqual(
      gitText(source, ['rev-list', '--reverse', `refs/heads/${from}..refs/heads/${to}`])
        .split('\n')
        .filter(Boolean),
    );
  });

  it('list added, renamed and deleted files, and changed types', async () => {
    const { diffs } = await engine.compares.compare(repository, 'old~1', 'main', { straight: true });
    const one = (path: string) => diffs.filter((diff) => diff.new_path === path);
    expect(one('src/digits.txt')).toMatchObject([
      { old_path: 'src/numbers.txt', renamed_file: true, new_file: false, a_mode: '100644' },
    ]);
    expect(one('docs/y.md')).toMatchObject([{ deleted_file: true, b_mode: '0' }]);
    expect(one('feature.txt')).toMatchObject([
      { new_file: true, a_mode: '0', b_mode: '100644', diff: '@@ -0,0 +1 @@\n+feature\n' },
    ]);
    expect(one('link')).toMatchObject([
      { deleted_file: true, a_mode: '120000' },
      { new_file: true, b_mode: '100644' },
    ]);
    expect(one('run.sh')).toMatchObject([{ a_mode: '100755', b_mode: '100644', diff: '' }]);
    expect(one('logo.bin')[0]!.diff).toBe('Binary files a/logo.bin and b/logo.bin differ\n');
    expect(one('vendor/lib')[0]).toMatchObject({ new_file: true, b_mode: '160000' });
  });

  it('of one ref with itself are empty, with compare_same_ref', async () => {
    expect(await engine.compares.compare(repository, 'main', 'light')).toEqual({
      commits: [],
      diffs: [],
      compareTimeout: false,
      compareSameRef: true,
    });
  });

  it('refuse an unknown side', async () => {
    await expect(engine.compares.compare(repository, 'nope', 'main')).rejects.toMatchObject({
      reason: 'ref_not_found',
    });
  });

  it('are read once for the same ids', async () => {
    const [old, main] = (await Promise.all(
      ['island', 'main'].map((ref) => engine.objects.resolve(repository, ref)),
    )) as [string, string];
    const first = await engine.diffs.compare(repository, old, main);
    expect(await engine.diffs.compare(repository, old, main)).toBe(first);
    expect(await engine.diffs.compare(repository, main, old)).not.toEqual(first);
  });

  it('omit texts beyond the limits', async () => {
    const limits = { files: 1000, lines: 50_000, totalBytes: 5 << 20, patchBytes: 200, timeoutMs: 30_000 };
    const [old, main] = [
      (await engine.objects.resolve(repository, 'island'))!,
      (await engine.objects.resolve(repository, 'main'))!,
    ];
    const small = await new DiffReader(new GitRunner(), engine.objects, engine.commits, limits).compare(
      repository,
      old,
      main,
    );
    expect(small.diffs.find((diff) => diff.new_path === 'src/digits.txt')!.diff).toBe('');
    expect(small.diffs.find((diff) => diff.new_path === 'README.md')!.diff).not.toBe('');
    expect(small.overflow).toBe(false);
    const reader = new DiffReader(new GitRunner(), engine.objects, engine.commits, { ...limits, files: 2 });
    const few = await reader.compare(repository, old, main);
    expect(await reader.compare(repository, old, main)).toBe(few);
    expect(few.overflow).toBe(true);
    expect(few.diffs).toHaveLength(small.diffs.length);
    expect(few.diffs.filter((diff) => diff.diff !== '').length).toBeLessThanOrEqual(2);
  });

  it('of a single commit are against its first parent', async () => {
    const merge = (await engine.objects.resolve(repository, 'main'))!;
    expect((await engine.diffs.compareWithParent(repository, merge)).diffs.map((diff) => diff.new_path)).toEqual([
      'feature.txt',
    ]);
    const root = gitText(source, ['rev-list', '--max-parents=0', 'main']);
    expect((await engine.diffs.compareWithParent(repository, root)).diffs.every((diff) => diff.new_file)).toBe(true);
  });
});

describe('merge bases and contributors', () => {
  it('equal those of git', async () => {
    expect(await engine.mergeBases.findOfRefs(repository, ['main', 'old'])).toBe(
      gitText(source, ['merge-base', 'main', 'old']),
    );
    const three = ['feature/one', 'same', 'light'];
    expect(await engine.mergeBases.findOfRefs(repository, three)).toBe(
      gitText(source, ['merge-base', '--octopus', 'feature/one', 'refs/heads/same', 'light']),
    );
  });

  it('are refused with the message of the interface', async () => {
    await expect(engine.mergeBases.findOfRefs(repository, ['main'])).rejects.toThrow('Provide at least 2 refs');
    await expect(engine.mergeBases.findOfRefs(repository, ['main', 'x'])).rejects.toThrow('Could not find ref: x');
    await expect(engine.mergeBases.findOfRefs(repository, ['y', 'x'])).rejects.toThrow('Could not find refs: y, x');
    await expect(engine.mergeBases.findOfRefs(repository, ['main', 'island'])).rejects.toMatchObject({
      reason: 'merge_base_missing',
    });
  });

  it('follow the branch, whichever way it moves', async () => {
    const moving = await importSample(engine, source, 900);
    const counts = (text: string) =>
      new Set(text.split('\n').map((line) => /(\d+)\t.* <(.*)>/.exec(line)!.slice(1).join()));
    for (const target of ['old', 'feature/one', 'main', 'same~1', 'island', 'main']) {
      git(moving, [
        'update-ref',
        'refs/heads/moving',
        gitText(source, ['rev-parse', target.replace('same', 'refs/heads/same')]),
      ]);
      const listed = (await engine.contributors.list(moving, 'moving'))!.map(
        ({ commits, email }) => `${commits},${email}`,
      );
      expect(new Set(listed)).toEqual(counts(gitText(moving, ['shortlog', '-sne', '--no-merges', 'moving'])));
    }
  });

  it('count commits and lines like shortlog and numstat', async () => {
    const contributors = (await engine.contributors.list(repository, 'main'))!;
    const counted = gitText(source, ['shortlog', '-sne', '--no-merges', 'main'])
      .split('\n')
      .map((line) => /(\d+)\t(.*) <(.*)>/.exec(line)!.slice(1));
    expect(new Set(contributors.map(({ commits, name, email }) => [String(commits), name, email].join()))).toEqual(
      new Set(counted.map((row) => row.join())),
    );
    const lines = gitText(source, ['log', '--no-merges', '-M', '--format=', '--numstat', 'main'])
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'));
    const sum = (index: number) => lines.reduce((total, row) => total + (Number(row[index]) || 0), 0);
    expect(contributors.reduce((total, { additions }) => total + additions, 0)).toBe(sum(0));
    expect(contributors.reduce((total, { deletions }) => total + deletions, 0)).toBe(sum(1));
  });
});

describe('files', () => {
  it('have content, checksum and the last commit that changed them', async () => {
    const file = await engine.files.read(repository, 'main', '/run.sh');
    const content = git(source, ['cat-file', 'blob', 'main:run.sh']);
    expect(file).toMatchObject({
      fileName: 'run.sh',
      filePath: 'run.sh',
      sizeBytes: content.length,
      isExecutable: false,
    });
    expect(file.contentSha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(file.lastCommitId).toBe(gitText(source, ['log', '-1', '--format=%H', 'main', '--', 'run.sh']));
    expect((await engine.files.find(repository, 'old', 'run.sh')).isExecutable).toBe(true);
  });

  it.each([
    ['nope', 'run.sh', 'revision_not_found'],
    ['main', 'nope', 'path_not_found'],
    ['main', 'src', 'path_not_found'],
    ['main', 'vendor/lib', 'path_not_found'],
    ['main', '../HEAD', 'path_not_found'],
  ])('at %s %s are refused', async (revision, path, code) => {
    await expect(engine.files.find(repository, revision, path)).rejects.toMatchObject({ reason: code });
  });

  it('are blamed as git blames them', async () => {
    const ranges = await engine.blames.read(repository, 'main', 'src/digits.txt');
    const blamed = ranges.flatMap((range) => range.lines.map((line) => `${range.commit.id} ${line}`));
    const expected = gitText(source, ['blame', '-s', '-l', '--root', 'main', '--', 'src/digits.txt']).split('\n');
    expect(blamed).toEqual(expected.map((line) => `${line.slice(0, 40)} ${line.slice(line.indexOf(')') + 2)}`));
    expect(
      (await engine.blames.read(repository, 'main', 'src/digits.txt', { lines: { first: 2, last: 3 } }))[0]!.lines,
    ).toEqual(['2', '3']);
    const beyond = engine.blames.read(repository, 'main', 'src/digits.txt', { lines: { first: 900, last: 901 } });
    await expect(beyond).rejects.toMatchObject({ reason: 'request_malformed' });
  });
});

it('reads quoted names as git writes them', () => {
  const listed = gitText(source, ['ls-tree', '-r', '--name-only', 'main'])
    .split('\n')
    .map((name) => decodeName(unquoteName(name)));
  expect(listed).toEqual(lsTree(['-r', 'main']).map((entry) => entry.path));
});
