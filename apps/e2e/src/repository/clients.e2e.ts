import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newUser, root, uniqueName } from '../server/connection';
import { git, gitLines, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* Every method of @gitbeaker/rest for repositories, files, commits, branches, tags, templates and storage moves. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Made = Awaited<ReturnType<typeof newUser>>;
let user: Made;
let id: number;
/** A mirror clone, to compare answers with. */
let mirror: string;
beforeAll(async () => {
  user = await newUser('client');
  const project = await user.client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  id = project.id;
  mirror = path.join(folder, 'mirror.git');
  const remote = remoteUrl(String(project.path_with_namespace), user.username, user.token);
  git(folder, ['clone', '--quiet', '--mirror', remote, mirror]);
});
const fetched = (...args: string[]): string => {
  git(mirror, ['remote', 'update', '--prune']);
  return gitText(mirror, args);
};

it('Commits: create, read, pick and revert', async () => {
  const { Commits } = user.client;
  const made = await Commits.create(id, 'main', 'Two files', [
    { action: 'create', filePath: 'src/a.txt', content: 'a\n' },
    { action: 'create', filePath: 'src/b.bin', content: Buffer.from([0, 255]).toString('base64'), encoding: 'base64' },
  ]);
  expect(fetched('rev-parse', 'main')).toBe(made.id);
  expect(gitLines(mirror, ['ls-tree', '-r', '--name-only', 'main'])).toEqual(['README.md', 'src/a.txt', 'src/b.bin']);
  await Commits.create(id, 'topic', 'On a branch', [{ action: 'update', filePath: 'src/a.txt', content: 'b\n' }], {
    startBranch: 'main',
  });
  const onTopic = await Commits.show(id, 'topic');
  expect(onTopic).toMatchObject({ title: 'On a branch', stats: { additions: 1, deletions: 1, total: 2 } });
  expect((await Commits.all(id, { refName: 'main' })).map((commit) => commit.id)).toEqual(
    fetched('rev-list', 'main').split('\n'),
  );
  const [diff] = await Commits.showDiff(id, onTopic.id);
  expect(diff).toMatchObject({ new_path: 'src/a.txt', diff: '@@ -1 +1 @@\n-a\n+b\n' });
  expect(await Commits.allReferences(id, onTopic.id)).toEqual([{ type: 'branch', name: 'topic' }]);
  const picked = await Commits.cherryPick(id, onTopic.id, 'main');
  expect(fetched('show', 'main:src/a.txt')).toBe('b');
  await Commits.revert(id, picked.id, 'main');
  expect(fetched('show', 'main:src/a.txt')).toBe('a');
  await expect(Commits.showGPGSignature(id, onTopic.id)).rejects.toThrow(/404/);
});

it('Repositories: trees, blobs, archives, comparisons', async () => {
  const { Repositories } = user.client;
  const entries = await Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2, pagination: 'keyset' });
  expect(entries.map((entry) => `${entry.mode} ${entry.type} ${entry.id}\t${entry.path}`).sort()).toEqual(
    fetched('ls-tree', '-r', '-t', 'main').split('\n').sort(),
  );
  const file = entries.find((entry) => entry.path === 'src/a.txt')!;
  const blob = await Repositories.showBlob(id, file.id);
  expect(Buffer.from(String(blob.content), 'base64').toString()).toBe('a\n');
  expect(String(await Repositories.showBlobRaw(id, file.id).then(textOf))).toBe('a\n');
  const compared = await Repositories.compare(id, 'main', 'topic');
  expect(compared.commits?.map(({ title }) => title)).toEqual(['On a branch']);
  expect((await Repositories.mergeBase(id, ['main', 'topic'])).id).toBe(fetched('merge-base', 'main', 'topic'));
  expect(await Repositories.showChangelog(id, '9.0.0', { from: 'main' })).toMatchObject({
    notes: expect.stringMatching(/^## 9\.0\.0 \(\d{4}-\d\d-\d\d\)\n\nNo changes\.\n$/),
  });
  const [contributor] = await Repositories.allContributors(id);
  expect(contributor).toMatchObject({ email: `${user.username}@example.com`, commits: 4 });
  const archive = Buffer.from(await (await Repositories.showArchive(id, { fileType: 'tar' })).arrayBuffer());
  const listed = execFileSync('tar', ['tf', '-'], { input: archive }).toString().trim().split('\n');
  expect(listed.filter((name) => !name.endsWith('/')).map((name) => name.slice(name.indexOf('/') + 1))).toEqual(
    fetched('ls-tree', '-r', '--name-only', 'main').split('\n'),
  );
});

it('Repositories of projects and wikis in their storage, for administrators only', async () => {
  await user.client.ProjectWikis.create(id, 'text', 'Home');
  await expect(user.client.Projects.downloadSnapshot(id)).rejects.toThrow(/403/);
  const unpack = async (wiki: boolean) => {
    const tar = await root.Projects.downloadSnapshot(id, { wiki });
    const target = mkdtempSync(path.join(folder, 'snapshot-'));
    execFileSync('tar', ['-x', '-C', target], { input: Buffer.from(await tar.arrayBuffer()) });
    git(target, ['fsck', '--full']);
    return target;
  };
  const refs = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags'];
  expect(gitText(await unpack(false), refs)).toBe(fetched(...refs));
  expect(gitLines(await unpack(true), ['ls-tree', '--name-only', 'HEAD'])).toEqual(['Home.md']);
  await user.client.ProjectWikis.remove(id, 'Home');
});

/** The client returns raw contents as text or as a blob, depending on their type. */
async function textOf(raw: unknown): Promise<string> {
  return raw instanceof Blob ? raw.text() : String(raw);
}

it('RepositoryFiles: create, read, edit and remove', async () => {
  const { RepositoryFiles } = user.client;
  expect(await RepositoryFiles.create(id, 'dir/ü.txt', 'main', 'one\n', 'add')).toEqual({
    file_path: 'dir/ü.txt',
    branch: 'main',
  });
  await RepositoryFiles.edit(id, 'dir/ü.txt', 'main', 'one\ntwo\n', 'edit');
  const shown = await RepositoryFiles.show(id, 'dir/ü.txt', 'main');
  expect(shown).toMatchObject({ size: 8, blob_id: fetched('rev-parse', 'main:dir/ü.txt'), ref: 'main' });
  expect(await RepositoryFiles.showRaw(id, 'dir/ü.txt', 'main').then(textOf)).toBe('one\ntwo\n');
  const blames = await RepositoryFiles.allFileBlames(id, 'dir/ü.txt', 'main');
  expect(blames.map(({ lines }) => lines)).toEqual([['one'], ['two']]);
  await RepositoryFiles.remove(id, 'dir/ü.txt', 'main', 'remove');
  await expect(RepositoryFiles.show(id, 'dir/ü.txt', 'main')).rejects.toThrow(/404/);
});

it('Branches and ProtectedBranches', async () => {
  const { Branches, ProtectedBranches } = user.client;
  expect(await Branches.create(id, 'feature/x', 'main')).toMatchObject({ name: 'feature/x', merged: true });
  expect((await Branches.all(id, { search: 'feature' })).map(({ name }) => name)).toEqual(['feature/x']);
  await ProtectedBranches.create(id, 'feature/*', { mergeAccessLevel: 30, pushAccessLevel: 40 });
  expect(await Branches.show(id, 'feature/x')).toMatchObject({ protected: true });
  expect((await ProtectedBranches.all(id)).map(({ name }) => name)).toContain('feature/*');
  expect(await ProtectedBranches.show(id, 'feature/*')).toMatchObject({
    push_access_levels: [{ access_level: 40 }],
    merge_access_levels: [{ access_level: 30 }],
  });
  await expect(Branches.remove(id, 'feature/x')).rejects.toThrow(/protected/i);
  await ProtectedBranches.edit(id, 'feature/*', { allowForcePush: true });
  expect(await ProtectedBranches.show(id, 'feature/*')).toMatchObject({ allow_force_push: true });
  await ProtectedBranches.unprotect(id, 'feature/*');
  await Branches.remove(id, 'feature/x');
  await Branches.create(id, 'merged', 'main');
  await Branches.removeMerged(id);
  expect(fetched('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')).toEqual(['main', 'topic']);
});

it('Tags and ProtectedTags', async () => {
  const { Tags, ProtectedTags } = user.client;
  const tag = await Tags.create(id, 'v1.0', 'main', { message: 'First' });
  expect(tag).toMatchObject({ name: 'v1.0', message: 'First', target: fetched('rev-parse', 'v1.0') });
  await Tags.create(id, 'v0.9', 'main');
  expect((await Tags.all(id, { orderBy: 'name', sort: 'asc' })).map(({ name }) => name)).toEqual(['v0.9', 'v1.0']);
  await ProtectedTags.create(id, 'v1*', { createAccessLevel: 40 });
  expect(await ProtectedTags.show(id, 'v1*')).toMatchObject({ create_access_levels: [{ access_level: 40 }] });
  expect((await ProtectedTags.all(id)).map(({ name }) => name)).toEqual(['v1*']);
  expect(await Tags.show(id, 'v1.0')).toMatchObject({ protected: true });
  await ProtectedTags.unprotect(id, 'v1*');
  await Tags.remove(id, 'v1.0');
  await Tags.remove(id, 'v0.9');
  expect(await Tags.all(id)).toEqual([]);
});

it('ProjectWikis, in all formats', async () => {
  const { ProjectWikis } = user.client;
  for (const format of ['markdown', 'rdoc', 'asciidoc', 'org']) {
    const made = await ProjectWikis.create(id, `= ${format}`, `In ${format}`, { format });
    expect(made).toMatchObject({ slug: `In-${format}`, title: `In ${format}`, format, content: `= ${format}` });
  }
  expect((await ProjectWikis.all(id)).map(({ slug }) => slug)).toEqual([
    'In-asciidoc',
    'In-markdown',
    'In-org',
    'In-rdoc',
  ]);
  await ProjectWikis.edit(id, 'In-org', { content: 'now', format: 'org' });
  expect(await ProjectWikis.show(id, 'In-org')).toMatchObject({ content: 'now', format: 'org', encoding: 'UTF-8' });
  // Without a format it becomes markdown, as in the v4 interface.
  expect(await ProjectWikis.edit(id, 'In-org', { content: 'later' })).toMatchObject({ format: 'markdown' });
  expect(await ProjectWikis.show(id, 'In-org')).toMatchObject({ content: 'later', format: 'markdown' });
  await ProjectWikis.remove(id, 'In-org');
  expect((await ProjectWikis.all(id, { withContent: true })).map(({ content }) => content)).toEqual([
    '= asciidoc',
    '= markdown',
    '= rdoc',
  ]);
});

it.each(['dockerfiles', 'gitignores', 'gitlab_ci_ymls', 'licenses'] as const)(
  'ProjectTemplates and the instance-wide ones have the same %s',
  async (type) => {
    const { ProjectTemplates, DockerfileTemplates, GitignoreTemplates, GitLabCIYMLTemplates, LicenseTemplates } =
      user.client;
    const shared = {
      dockerfiles: DockerfileTemplates,
      gitignores: GitignoreTemplates,
      gitlab_ci_ymls: GitLabCIYMLTemplates,
      licenses: LicenseTemplates,
    }[type];
    const own = await ProjectTemplates.all(id, type);
    const all = await shared.all();
    expect(own.length).toBeGreaterThan(11);
    expect(own.map(({ key, name }) => [key, name])).toEqual(all.map(({ key, name }) => [key, name]));
    for (const { key } of own.slice(0, 20)) {
      const content = (await ProjectTemplates.show(id, type, String(key))).content as string;
      expect(content.length).toBeGreaterThan(5);
      expect((await shared.show(String(key))).content).toBe(content);
    }
  },
);

it('LicenseTemplates with all fields, expanded', async () => {
  const mit = await user.client.ProjectTemplates.show(id, 'licenses', 'mit', { fullname: 'Ada', project: 'Engine' });
  expect(mit).toMatchObject({
    key: 'mit',
    name: 'MIT License',
    popular: true,
    html_url: expect.stringMatching(/^https?:/),
    source_url: expect.stringMatching(/^https?:/),
    description: expect.stringMatching(/\w+ \w+/),
    conditions: expect.arrayContaining(['include-copyright']),
    permissions: expect.arrayContaining(['commercial-use']),
    limitations: expect.arrayContaining(['liability']),
    content: expect.stringContaining(`Copyright (c) ${new Date().getFullYear()} Ada`),
  });
  expect(mit).toHaveProperty('nickname');
  expect(mit.content).not.toMatch(/\[(year|fullname|project)\]/);
});

it('ProjectRepositoryStorageMoves: schedule, show and list', async () => {
  const { ProjectRepositoryStorageMoves: moves } = root;
  const made = await moves.schedule('', { projectId: id, destinationStorageName: 'second' });
  expect(made).toMatchObject({ source_storage_name: 'default', project: { id } });
  await until('the end of the move', async () => {
    const { state } = await moves.show(made.id);
    expect(String(state)).not.toMatch(/failed/);
    return state === 'finished';
  });
  expect(await moves.show(made.id, { projectId: id })).toMatchObject({ id: made.id, state: 'finished' });
  expect((await moves.all({ projectId: id })).map((move) => move.id)).toEqual([made.id]);
  expect((await moves.all({ perPage: 100, maxPages: 1 })).map((move) => move.id)).toContain(made.id);
  await expect(user.client.ProjectRepositoryStorageMoves.all()).rejects.toThrow(/403/);
});
