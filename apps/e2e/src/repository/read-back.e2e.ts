import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { git, gitLines, gitText, remoteUrl } from '../server/git';
import { makeRealRepository } from './real-repository';
import { unpack } from './unpack';

/* Pushes a real repository with git and compares every read of the API with git's answer for the original. */

const original = makeRealRepository();
const { folder } = original;
let projectId: number;
let fullPath: string;

beforeAll(async () => {
  // Creating the repository blocked this process, so it has not noticed yet which idle connections the server has
  // closed.
  await setImmediate();
  const project = await root.Projects.create({ name: uniqueName('real') });
  projectId = project.id;
  fullPath = String(project.path_with_namespace);
  git(folder, ['push', '--quiet', remoteUrl(fullPath, connection.username, connection.token), '--all']);
  git(folder, ['push', '--quiet', remoteUrl(fullPath, connection.username, connection.token), '--tags']);
});
afterAll(() => original.remove());

const api = (rest: string) => `/api/v4/projects/${encodeURIComponent(fullPath)}/repository${rest}`;
const json = async (rest: string) => (await ask(api(rest), { token: connection.token })).json();

interface Entry {
  id: string;
  type: string;
  mode: string;
  path: string;
}

async function wholeTree(ref: string, paging = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  let next: string | null = api(`/tree?ref=${encodeURIComponent(ref)}&recursive=true&per_page=100${paging}`);
  while (next) {
    const response: Response = await ask(next, { token: connection.token });
    entries.push(...((await response.json()) as Entry[]));
    const link: string = response.headers.get('link') ?? '';
    const found: RegExpExecArray | null = /<([^>]+)>; rel="next"/.exec(link);
    next = found ? found[1]!.slice(connection.url.length) : null;
  }
  return entries;
}

const treeOfGit = (ref: string): string[] =>
  git(folder, ['ls-tree', '-r', '-t', '-z', ref]).toString('utf8').split('\0').filter(Boolean).sort();

const asGitWrites = ({ mode, type, id, path: name }: Entry): string => `${mode} ${type} ${id}\t${name}`;

it.each(['main', 'v1.0', 'feature/docs'])('lists every entry of %s by offset', async (ref) => {
  const entries = await wholeTree(ref);
  expect(entries.map(asGitWrites).sort()).toEqual(treeOfGit(ref));
});

it('lists every entry by keyset', async () => {
  const entries = await wholeTree('main', '&pagination=keyset');
  expect(entries.map(asGitWrites).sort()).toEqual(treeOfGit('main'));
  expect(entries.length).toBeGreaterThan(1000);
});

it('prefers the branch to a tag with the same name', async () => {
  const entries = await wholeTree('same-name');
  expect(entries.map(asGitWrites).sort()).toEqual(treeOfGit('refs/heads/same-name'));
});

it('returns the bytes of blobs, raw and in Base64', async () => {
  const blobs = gitLines(folder, ['ls-tree', '-r', '--format=%(objecttype) %(objectname)', 'main'])
    .filter((line) => line.startsWith('blob'))
    .map((line) => line.slice('blob '.length));
  const sample = [...new Set(blobs)].filter((_, index) => index % 20 === 0);
  expect(sample.length).toBeGreaterThan(100);
  for (const id of sample) {
    const content = git(folder, ['cat-file', 'blob', id]);
    const raw = await ask(api(`/blobs/${id}/raw`), { token: connection.token });
    expect(Buffer.from(await raw.arrayBuffer()).equals(content)).toBe(true);
    const blob = (await json(`/blobs/${id}`)) as { size: number; content: string };
    expect([blob.size, blob.content]).toEqual([content.length, content.toString('base64')]);
  }
});

it('reads files with names beyond ASCII, links and scripts', async () => {
  for (const name of ['docs/Größe – 大きさ.md', 'docs/latin1.txt', 'bin/link', 'bin/run.sh', 'bin/blob.bin']) {
    const file = (await json(`/files/${encodeURIComponent(name)}?ref=main`)) as Record<string, unknown>;
    const content = git(folder, ['cat-file', 'blob', `main:${name}`]);
    expect(file).toMatchObject({
      file_path: name,
      content: content.toString('base64'),
      content_sha256: createHash('sha256').update(content).digest('hex'),
      blob_id: gitText(folder, ['rev-parse', `main:${name}`]),
      last_commit_id: gitText(folder, ['log', '-1', '--format=%H', 'main', '--', name]),
      execute_filemode: name === 'bin/run.sh',
    });
  }
});

it.each(['tar', 'tar.gz', 'tar.bz2', 'zip'])('archives the same files as git: %s', async (format) => {
  const sha = gitText(folder, ['rev-parse', 'main']);
  const response = await ask(api(`/archive.${format}?sha=main`), { token: connection.token });
  expect(response.headers.get('content-disposition')).toContain(`-main-${sha}.${format}"`);
  const target = mkdtempSync(path.join(tmpdir(), 'moothall-archive-'));
  try {
    const found = await unpack(Buffer.from(await response.arrayBuffer()), format, target);
    const expected = gitLines(folder, [
      '-c',
      'core.quotePath=false',
      'ls-tree',
      '-r',
      '--format=%(objecttype) %(objectname) %(path)',
      'main',
    ])
      .filter((line) => line.startsWith('blob'))
      .map((line) => line.slice('blob '.length));
    expect(found.sort()).toEqual(expected.sort());
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

it.each([
  ['all', '', []],
  ['the first parents', '?first_parent=true', ['--first-parent']],
])('counts %s of a commit as git does', async (_what, query, flags) => {
  const count = Number(gitText(folder, ['rev-list', '--count', ...flags, 'main']));
  expect(await json(`/commits/main/sequence${query}`)).toEqual({ count });
});

it('counts contributors as git does', async () => {
  const contributors = (await json('/contributors?per_page=100')) as { name: string; email: string; commits: number }[];
  const counted = contributors.map(({ name, email, commits }) => `${commits}\t${name} <${email}>`).sort();
  expect(counted).toEqual(
    gitLines(folder, ['shortlog', '-sne', '--no-merges', 'main'])
      .map((line) => line.trim())
      .sort(),
  );
});

it('adds up the lines of each contributor', async () => {
  const contributors = (await json('/contributors')) as { email: string; additions: number; deletions: number }[];
  for (const { email, additions, deletions } of contributors) {
    const numstat = gitLines(folder, [
      'log',
      '--no-merges',
      `--author=${email}`,
      '--format=',
      '--numstat',
      '-M',
      'main',
    ]);
    const sums = numstat
      .map((line) => line.split('\t').map(Number))
      .reduce((sum, [added, deleted]) => [sum[0]! + (added || 0), sum[1]! + (deleted || 0)], [0, 0]);
    expect([email, additions, deletions]).toEqual([email, ...sums]);
  }
});

it('finds the merge bases that git finds', async () => {
  const refs = ['main', 'v1.0', 'v1.1', 'feature/docs', 'refs/heads/same-name'];
  for (const one of refs) {
    for (const other of refs) {
      const base = (await json(
        `/merge_base?refs[]=${encodeURIComponent(one)}&refs[]=${encodeURIComponent(other)}`,
      )) as { id: string };
      expect([one, other, base.id]).toEqual([one, other, gitText(folder, ['merge-base', one, other])]);
    }
  }
});

it.each([
  ['v1.0', 'main', false],
  ['v1.0', 'v1.1', false],
  ['feature/docs', 'main', false],
  ['feature/docs', 'refs/heads/same-name', true],
])('compares %s with %s (straight: %s) as git does', async (from, to, straight) => {
  const comparison = (await json(
    `/compare?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&straight=${straight}`,
  )) as {
    commits: { id: string }[];
    diffs: {
      old_path: string;
      new_path: string;
      diff: string;
      new_file: boolean;
      deleted_file: boolean;
      renamed_file: boolean;
    }[];
    compare_timeout: boolean;
  };
  expect(comparison.commits.map(({ id }) => id)).toEqual(gitLines(folder, ['rev-list', '--reverse', `${from}..${to}`]));
  const range = straight ? [from, to] : [gitText(folder, ['merge-base', from, to]), to];
  const raw = git(folder, ['diff', '--raw', '-z', '-M', '--no-abbrev', ...range])
    .toString('utf8')
    .split('\0');
  const changes: string[] = [];
  for (let index = 0; index < raw.length - 1; ) {
    const status = raw[index++]!.split(' ').at(-1)![0]!;
    const oldPath = raw[index++]!;
    changes.push(`${status} ${oldPath} ${status === 'R' ? raw[index++]! : oldPath}`);
  }
  const seen = comparison.diffs.map((diff) => {
    const status = diff.new_file ? 'A' : diff.deleted_file ? 'D' : diff.renamed_file ? 'R' : 'M';
    return `${status} ${diff.old_path} ${diff.new_path}`;
  });
  // Above the limits files may be left out, and the answer reports it.
  if (!comparison.compare_timeout)
    expect(seen.sort()).toEqual(changes.map((change) => change.replace(/^T/, 'M')).sort());
  expect(changes).toEqual(expect.arrayContaining(seen.slice(0, 5)));
  for (const diff of comparison.diffs.filter(({ diff: text }) => text.startsWith('@@')).slice(0, 50)) {
    const patch = git(folder, ['diff', '-M', ...range, '--', diff.old_path, diff.new_path]);
    expect(asText(patch)).toContain(diff.diff.trimEnd());
  }
});

/** Text that is not UTF-8 is read as Latin-1. */
const asText = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1'));

it('lists branches, tags and history as git does, through an unmodified client', async () => {
  const branches = await root.Branches.all(projectId);
  expect(branches.map(({ name, commit }) => `${commit.id} ${name}`).sort()).toEqual(
    gitLines(folder, ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads']).sort(),
  );
  const tags = await root.Tags.all(projectId);
  expect(tags.map(({ name, target, commit }) => `${target} ${commit.id} ${name}`).sort()).toEqual(
    gitLines(folder, [
      'for-each-ref',
      '--format=%(objectname) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname:lstrip=2)',
      'refs/tags',
    ]).sort(),
  );
  const commits = await root.Commits.all(projectId, { refName: 'main', perPage: 3 });
  expect(commits.map(({ id }) => id)).toEqual(gitLines(folder, ['rev-list', 'main']));
});

it('is cloned back whole', () => {
  const target = mkdtempSync(path.join(tmpdir(), 'moothall-clone-'));
  try {
    git(target, [
      'clone',
      '--quiet',
      '--mirror',
      remoteUrl(fullPath, connection.username, connection.token),
      'mirror.git',
    ]);
    const mirror = path.join(target, 'mirror.git');
    const refs = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'];
    expect(gitLines(mirror, refs)).toEqual(gitLines(folder, refs));
    git(mirror, ['fsck', '--full', '--strict']);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
});

it('reveals nothing of a private repository to a non-member', async () => {
  const stranger = await newUser();
  for (const rest of ['/tree', '/archive', '/compare?from=main&to=main', '/contributors', '/branches']) {
    expect([rest, (await ask(api(rest))).status]).toEqual([rest, 404]);
    expect([rest, (await ask(api(rest), { token: stranger.token })).status]).toEqual([rest, 404]);
  }
});

it('opens a public repository to everybody', async () => {
  await root.Projects.edit(projectId, { visibility: 'public' });
  for (const rest of [
    '/tree',
    '/archive',
    '/compare?from=main&to=main',
    '/contributors',
    '/merge_base?refs[]=main&refs[]=v1.0',
  ]) {
    expect([rest, (await ask(api(rest))).status]).toEqual([rest, 200]);
  }
  const anonymous = new URL(remoteUrl(fullPath, '', ''));
  expect(gitLines(folder, ['ls-remote', '--heads', anonymous.href])).toHaveLength(3);
});
