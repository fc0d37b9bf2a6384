import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Access,
  cherryPickCommit,
  commonErrors,
  compareRefs,
  countRepositories,
  createBranch,
  createCommit,
  createRepository,
  createTag,
  deleteBranch,
  getArchive,
  getBlob,
  getCommit,
  getCommitSequence,
  getFile,
  getMergeBase,
  getProject,
  getSnapshot,
  lfsLocksOfOthers,
  listBranches,
  listCommits,
  listContributors,
  listPipelines,
  listTags,
  listTree,
  missingLfsObjects,
  projectDeleted,
  protectTags,
  releasesOfTags,
  repositoryFacts,
  repositoryLanguages,
  repositoryPushed,
  resolveProject,
  revertCommit,
  setDefaultBranch,
  tagFacts,
} from '@moothall/contracts';
import {
  callerNamed,
  contextOf,
  eventually,
  projectNamed,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@moothall/testing';
import { service } from '../src';
import { Storages } from '../src/storage/storages';

let folder: string;
let under: ServiceUnderTest;
const caller = callerNamed('ada');
const author = { name: 'Ada', email: 'ada@example.com' };

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-repository-'));
  under = await startServiceUnderTest(service, { GIT_STORAGES: `default=${folder}` });
  under.respond(lfsLocksOfOthers, () => []);
  under.respond(missingLfsObjects, () => []);
  under.respond(releasesOfTags, ({ tag_names }) =>
    tag_names.filter((name) => name.startsWith('released')).map((tag_name) => ({ tag_name, description: 'text' })),
  );
});
afterAll(async () => {
  await under.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A project with a repository that contains a README. */
async function newProject() {
  const project = projectNamed('app', { accessLevel: Access.Maintainer });
  const context = contextOf({ caller, project });
  const readme = { title: 'App', text: 'What it does' };
  await under.client.call(
    createRepository,
    { project_id: project.id, default_branch: 'main', readme, author },
    context,
  );
  const commit = (
    branch: string,
    actions: { action: 'create' | 'update'; file_path: string; content: string }[],
    start_branch?: string,
  ) =>
    under.client.call(
      createCommit,
      { id: 'x', branch, commit_message: `on ${branch}`, actions, start_branch },
      context,
    );
  return { project, context, commit, call: under.client.call.bind(under.client) };
}

it('creates a repository once, however often it is requested', async () => {
  const { project, context, call } = await newProject();
  const again = await call(createRepository, { project_id: project.id, default_branch: 'main', author }, context);
  expect(again).toEqual({ default_branch: 'main', is_empty: false, readme_path: 'README.md' });
  expect((await call(listCommits, { id: 'x' }, context)).items).toHaveLength(1);
});

it('shows the releases of tags, lists tags, and returns who may create them', async () => {
  const { project, context, call } = await newProject();
  for (const tag_name of ['released/1', 'plain']) {
    const made = await call(createTag, { id: 'x', tag_name, ref: 'main' }, context);
    expect(made.release).toBeNull();
  }
  const { items } = await call(listTags, { id: 'x', order_by: 'name', sort: 'asc' }, context);
  expect(items.map(({ name, release }) => [name, release])).toEqual([
    ['plain', null],
    ['released/1', { tag_name: 'released/1', description: 'text' }],
  ]);
  const [head] = (await call(listCommits, { id: 'x' }, context)).items;
  const names = ['plain', 'nope'];
  const found = [{ name: 'plain', commit: head, may_create: true }];
  expect(await call(tagFacts, { names }, context)).toEqual(found);
  await call(protectTags, { id: 'x', name: 'pl*' }, context);
  const asDeveloper = contextOf({ project: { ...project, accessLevel: Access.Developer } });
  expect(await call(tagFacts, { names }, asDeveloper)).toEqual([{ ...found[0], may_create: false }]);
});

it('commits several changes at once and reads them back', async () => {
  const { project, context, commit, call } = await newProject();
  const made = await commit('main', [
    { action: 'create', file_path: 'src/ü.ts', content: 'let a = 1;\n' },
    { action: 'update', file_path: 'README.md', content: '# New\n' },
  ]);
  expect(made).toMatchObject({
    title: 'on main',
    stats: { additions: 2, deletions: 3, total: 5 },
    project_id: project.id,
  });
  expect(made.web_url).toBe(`http://moothall.test/group/app/-/commit/${made.id}`);
  const tree = await call(listTree, { id: 'x', recursive: true }, context);
  expect(tree.items.map((entry) => [entry.type, entry.path])).toEqual([
    ['tree', 'src'],
    ['blob', 'src/ü.ts'],
    ['blob', 'README.md'],
  ]);
  const blob = await call(getBlob, { id: 'x', sha: tree.items[1]!.id }, context);
  expect(Buffer.from(blob.content, 'base64').toString()).toBe('let a = 1;\n');
  expect(await call(getFile, { id: 'x', file_path: 'src/ü.ts', ref: 'main' }, context)).toMatchObject({
    file_name: 'ü.ts',
    size: 11,
    last_commit_id: made.id,
    execute_filemode: false,
  });
  expect(await call(repositoryLanguages, { project_id: project.id }, context)).toEqual({ TypeScript: 100 });
});

it('pages a tree by offset and by keyset', async () => {
  const { context, commit, call } = await newProject();
  const names = Array.from({ length: 5 }, (_, index) => `f${index}`);
  await commit(
    'main',
    names.map((file_path) => ({ action: 'create', file_path, content: 'x' })),
  );
  const second = await call(listTree, { id: 'x', page: 2, per_page: 2 }, context);
  expect([second.items.map((entry) => entry.name), second.total]).toEqual([['f1', 'f2'], 6]);
  const keyset = await call(listTree, { id: 'x', pagination: 'keyset', per_page: 3 }, context);
  expect(keyset).toMatchObject({ isKeyset: true, next: { page_token: 'f1' } });
  const rest = await call(listTree, { id: 'x', pagination: 'keyset', per_page: 10, page_token: 'f1' }, context);
  expect([rest.items.map((entry) => entry.name), rest.next]).toEqual([['f2', 'f3', 'f4'], undefined]);
});

it('compares from the merge base unless `straight` is true', async () => {
  const { context, commit, call } = await newProject();
  await commit('topic', [{ action: 'create', file_path: 'topic', content: 't\n' }], 'main');
  await commit('main', [{ action: 'create', file_path: 'main', content: 'm\n' }]);
  const fromBase = await call(compareRefs, { id: 'x', from: 'main', to: 'topic' }, context);
  expect(fromBase.diffs.map((diff) => [diff.new_path, diff.diff])).toEqual([['topic', '@@ -0,0 +1 @@\n+t\n']]);
  expect(fromBase.commits.map(({ title }) => title)).toEqual(['on topic']);
  const straight = await call(compareRefs, { id: 'x', from: 'main', to: 'topic', straight: true }, context);
  expect(straight.diffs.map((diff) => [diff.new_path, diff.deleted_file])).toEqual([
    ['main', true],
    ['topic', false],
  ]);
  const base = await call(getMergeBase, { id: 'x', refs: ['main', 'topic'] }, context);
  expect(base.title).toBe('Initial commit');
});

it('counts the commits that lead to one', async () => {
  const { context, commit, call } = await newProject();
  const { id } = await commit('main', [{ action: 'create', file_path: 'a', content: '1' }]);
  await commit('main', [{ action: 'create', file_path: 'b', content: '2' }]);
  expect(await call(getCommitSequence, { id: 'x', sha: id }, context)).toEqual({ count: 2 });
  expect(await call(getCommitSequence, { id: 'x', sha: 'main' }, context)).toEqual({ count: 3 });
});

it('blames lines', async () => {
  const { context, commit, call } = await newProject();
  await commit('main', [{ action: 'create', file_path: 'a', content: '1\n2\n' }]);
  const { items } = await call(listContributors, { id: 'x', order_by: 'commits', sort: 'desc' }, context);
  expect(items).toEqual([{ name: 'ada', email: 'ada@example.com', commits: 2, additions: 5, deletions: 0 }]);
});

it.each([
  ['an unknown ref', listTree, { id: 'x', ref: 'nope' }, 'repository_content.tree_not_found'],
  ['an unknown blob', getBlob, { id: 'x', sha: '0'.repeat(40) }, 'repository_content.blob_not_found'],
  ['an option as a blob', getBlob, { id: 'x', sha: '--batch' }, 'repository_content.blob_not_found'],
  ['a SHA-256 id', getBlob, { id: 'x', sha: 'a'.repeat(64) }, 'git.object_id_unsupported'],
  ['the count of no commit', getCommitSequence, { id: 'x', sha: 'nope' }, 'repository_content.commit_not_found'],
  ['an unknown archive', getArchive, { id: 'x', sha: 'nope' }, 'repository_content.file_not_found'],
  ['an unknown format', getArchive, { id: 'x', format: 'rar' }, 'git.format_unsupported'],
  ['a comparison with nothing', compareRefs, { id: 'x', from: 'main', to: 'nope' }, 'repository_content.ref_not_found'],
  ['one ref for a merge base', getMergeBase, { id: 'x', refs: ['main'] }, 'git.refs_too_few'],
  ['the default branch', deleteBranch, { id: 'x', branch: 'main' }, 'git.default_branch_kept'],
  [
    'a path out of the repository',
    createCommit,
    { id: 'x', branch: 'main', commit_message: 'm', actions: [{ action: 'create', file_path: '../x', content: '' }] },
    'git.path_invalid',
  ],
])('refuses %s', async (_what, operation, input, code) => {
  const { context } = await newProject();
  await expect(under.client.call(operation as never, input as never, context)).rejects.toMatchObject({
    value: { code },
  });
});

it.each([
  ['a tag', createTag, { tag_name: 'v1', ref: 'main' }],
  // Checked before the commit is looked up.
  ['a pick', cherryPickCommit, { sha: 'nope', branch: 'main' }],
  ['a reversal', revertCommit, { sha: 'nope', branch: 'main' }],
])('refuses writes to archived projects: %s', async (_what, operation, input) => {
  const { project, context } = await newProject();
  const archived = { ...context, project: { ...project, isArchived: true } };
  await expect(under.client.call(operation as never, { id: 'x', ...input } as never, archived)).rejects.toMatchObject({
    value: { code: 'repository_content.read_only' },
  });
});

it('publishes an event for every change', async () => {
  const { project, context, commit } = await newProject();
  const { id } = await commit('main', [{ action: 'create', file_path: 'a', content: '1' }]);
  const [event] = await eventually(() => {
    const heard = under
      .events(repositoryPushed)
      .filter(({ data }) => data.project_id === project.id && data.after === id);
    return heard.length > 0 ? heard : undefined;
  });
  expect(event!.data).toMatchObject({
    ref: 'refs/heads/main',
    user_id: caller.id,
    default_branch: 'main',
    is_empty: false,
  });
  expect(context.project).toBeDefined();
});

it('streams an archive from a presigned URL', async () => {
  const { context, call } = await newProject();
  const { url } = await call(getArchive, { id: 'x', format: 'tar' }, context);
  const response = await fetch(url);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="app-main-[0-9a-f]{40}\.tar"$/);
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toContain('README.md');
});

it('streams a snapshot to administrators, and refuses that of a wiki that does not exist', async () => {
  const { context, call } = await newProject();
  const administrator = { ...context, caller: callerNamed('root', { isAdmin: true }) };
  await expect(call(getSnapshot, { id: 'x' }, context)).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
  const { url } = await call(getSnapshot, { id: 'x' }, administrator);
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/x-tar');
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toContain('refs/heads/main');
  await expect(call(getSnapshot, { id: 'x', wiki: true }, administrator)).rejects.toMatchObject({
    value: { code: 'common.not_found' },
  });
});

it('points HEAD at another existing branch only', async () => {
  const { project, context, commit, call } = await newProject();
  await commit('next', [{ action: 'create', file_path: 'n', content: '' }], 'main');
  expect(await call(setDefaultBranch, { project_id: project.id, branch: 'next' }, context)).toEqual({
    default_branch: 'next',
  });
  await expect(call(setDefaultBranch, { project_id: project.id, branch: 'nope' }, context)).rejects.toMatchObject({
    value: { code: 'common.invalid_record' },
  });
  const { items } = await call(listBranches, { id: 'x' }, context);
  expect(items.map((branch) => [branch.name, branch.default, branch.merged])).toEqual([
    ['main', false, true],
    ['next', true, false],
  ]);
});

it('removes the repository with its project', async () => {
  const { project, context, call } = await newProject();
  expect((await call(repositoryFacts, { project_id: project.id }, context)).commit_count).toBe(1);
  expect((await call(countRepositories, {}, context)).repositories).toBeGreaterThan(0);
  await under.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
  await eventually(() =>
    call(repositoryFacts, { project_id: project.id }, context).then(
      () => false,
      () => true,
    ),
  );
});

// Regression: 400.
it('creates the first branch of an empty repository', async () => {
  const project = projectNamed('empty', { accessLevel: Access.Maintainer });
  const context = contextOf({ caller, project });
  const call = under.client.call.bind(under.client);
  await call(createRepository, { project_id: project.id, default_branch: 'main', author }, context);
  await expect(call(createBranch, { id: 'x', branch: 'topic', ref: 'nowhere' }, context)).rejects.toThrow();
  expect(await call(createBranch, { id: 'x', branch: 'topic', ref: 'main' }, context)).toMatchObject({
    name: 'topic',
    commit: { title: 'Add README.md' },
  });
  const { items } = await call(listBranches, { id: 'x' }, context);
  expect(items.map(({ name }) => name)).toEqual(['main', 'topic']);
  expect((await call(listTree, { id: 'x' }, context)).items.map(({ path }) => path)).toEqual(['README.md']);
});

// Regression: 400.
it('picks and reverts a merge commit by its first parent', async () => {
  const { project, context, commit, call } = await newProject();
  await commit('topic', [{ action: 'create', file_path: 'topic', content: 't\n' }], 'main');
  await call(createBranch, { id: 'x', branch: 'old', ref: 'main' }, context);
  await commit('main', [{ action: 'create', file_path: 'main', content: 'm\n' }]);
  const message = `Merge branch 'topic' into 'main'\n\nTopic\n\nSee merge request ${project.fullPath}!7`;
  const { engine, path } = under.running.app.get(Storages, { strict: false }).locate(project);
  const topic = (await engine.objects.resolve(path, 'topic'))!;
  const { after } = await engine.merges.merge(path, { branch: 'main', commitId: topic, committer: author, message });
  const reverted = await call(revertCommit, { id: 'x', sha: after, branch: 'main' }, context);
  expect(reverted.message).toBe(`Revert "Merge branch 'topic' into 'main'"\n\nThis reverts merge request !7`);
  const files = async (ref: string) =>
    (await call(listTree, { id: 'x', ref }, context)).items.map((entry) => entry.path).sort();
  expect(await files('main')).toEqual(['README.md', 'main']);
  const picked = await call(cherryPickCommit, { id: 'x', sha: after, branch: 'old' }, context);
  expect(picked.message).toBe(`${message}\n\n(cherry picked from commit ${after})`);
  expect(await files('old')).toEqual(['README.md', 'topic']);
});

it('tries picks and reverts without a branch moving, and refuses as they would be refused', async () => {
  const { project, context, commit, call } = await newProject();
  const { id: before } = await commit('main', [{ action: 'create', file_path: 'a', content: '1\n' }]);
  const { id: onTopic } = await commit('topic', [{ action: 'update', file_path: 'a', content: '2\n' }], 'main');
  const pick = { id: 'x', sha: onTopic, branch: 'main', dry_run: true };
  expect(await call(cherryPickCommit, pick, context)).toMatchObject({ dry_run: 'success', parent_ids: [before] });
  expect(await call(revertCommit, { ...pick, sha: before }, context)).toMatchObject({ dry_run: 'success' });
  const { engine, path } = under.running.app.get(Storages, { strict: false }).locate(project);
  expect(await engine.objects.resolve(path, 'main')).toBe(before);
  await commit('main', [{ action: 'update', file_path: 'a', content: '3\n' }]);
  await expect(call(cherryPickCommit, pick, context)).rejects.toMatchObject({ code: 'git.merge_conflict' });
  await expect(call(revertCommit, { ...pick, branch: 'none' }, context)).rejects.toMatchObject({
    code: 'git.branch_not_found',
  });
});

// Regression: it was ignored, and another comparison was returned.
it('compares with a ref of a fork, and of no other project', async () => {
  const { project, context, commit, call } = await newProject();
  const fork = projectNamed('fork', { accessLevel: Access.Developer });
  const stranger = projectNamed('stranger', { visibility: 'public', accessLevel: Access.None });
  const hidden = projectNamed('hidden', { visibility: 'private', accessLevel: Access.None });
  const forkContext = contextOf({ caller, project: fork });
  const forked_from = { project_id: project.id, storage: 'default' };
  await call(createRepository, { project_id: fork.id, default_branch: 'main', forked_from, author }, forkContext);
  const actions = [{ action: 'create' as const, file_path: 'of-fork', content: 'f\n' }];
  await call(
    createCommit,
    { id: 'x', branch: 'topic', start_branch: 'main', commit_message: 'm', actions },
    forkContext,
  );
  await commit('main', [{ action: 'create', file_path: 'here', content: 'h\n' }]);
  const byId = (id: number) => [project, fork, stranger, hidden].find((one) => one.id === id)!;
  under.respond(resolveProject, (input) => ({ project: byId(Number(input.project)), redirected: false }));
  under.respond(
    getProject,
    (_, asked) => ({ forked_from_project: asked.project!.id === fork.id ? { id: project.id } : undefined }) as never,
  );
  const compare = (from_project_id: number, from = 'topic') =>
    call(compareRefs, { id: 'x', from, to: 'main', from_project_id }, context);
  const compared = await compare(fork.id);
  expect(compared.diffs.map(({ new_path }) => new_path)).toEqual(['here']);
  expect((await compare(fork.id, 'topic')).commits.map(({ title }) => title)).toEqual(['on main']);
  await expect(compare(fork.id, 'nowhere')).rejects.toMatchObject({ code: 'repository_content.ref_not_found' });
  await expect(compare(stranger.id)).rejects.toMatchObject({ code: 'repository_content.not_of_same_forks' });
  await expect(compare(hidden.id)).rejects.toMatchObject({ code: 'common.not_found' });
});

// Regression: these were always null.
it('shows the last pipeline of a commit to callers who may see it', async () => {
  const { project, context, commit, call } = await newProject();
  const { id } = await commit('main', [{ action: 'create', file_path: 'a', content: 'a' }]);
  expect(await call(getCommit, { id: 'x', sha: id }, context)).toMatchObject({ status: null, last_pipeline: null });
  const time = '2020-10-15T08:12:01.123Z';
  const pipeline = { id: 7, iid: 1, project_id: project.id, sha: id, ref: 'main', status: 'failed' as const };
  const rest = {
    source: 'push' as const,
    name: null,
    created_at: time,
    updated_at: time,
    web_url: 'http://moothall.test/p/7',
  };
  let mayRead = true;
  under.respond(listPipelines, (input) =>
    mayRead ? { items: input.sha === id ? [{ ...pipeline, ...rest }] : [], total: 1 } : commonErrors.forbidden(),
  );
  const shown = () => call(getCommit, { id: 'x', sha: id }, context);
  await eventually(async () => (await shown()).last_pipeline);
  expect(await shown()).toMatchObject({ status: 'failed', last_pipeline: pipeline });
  mayRead = false;
  expect(await shown()).toMatchObject({ status: null, last_pipeline: null });
});
