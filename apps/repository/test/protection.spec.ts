import {
  Access,
  ciChangedPaths,
  ciRefAccess,
  ciSource,
  ciTreePaths,
  createBranch,
  createCommit,
  createRepository,
  createTag,
  deleteBranch,
  getBranch,
  getProtectedBranch,
  type InputOf,
  listBranches,
  listProtectedBranches,
  listProtections,
  listTags,
  protectBranch,
  protectBranches,
  protectTags,
  unprotectBranch,
  unprotectBranches,
  updateProtectedBranch,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { createConnection } from 'mongoose';
import { startRepositoryService } from './repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

const commitTo = (branch: string, over = {}) => ({
  id: 'x',
  branch,
  commit_message: 'm',
  actions: [{ action: 'create' as const, file_path: `f${Math.random()}`, content: 'x' }],
  ...over,
});
const refused = (code: string) => ({ value: { code } });

it('protects the default branch from developers from the start', async () => {
  const { context, contextAs } = await under.newProject();
  const { call } = { call: under.client.call.bind(under.client) };
  await expect(call(createCommit, commitTo('main'), contextAs(Access.Developer))).rejects.toMatchObject(
    refused('protection.push_refused'),
  );
  await call(createCommit, commitTo('main'), context);
  expect(await call(getBranch, { id: 'x', branch: 'main' }, contextAs(Access.Developer))).toMatchObject({
    protected: true,
    can_push: false,
    developers_can_push: false,
  });
  expect(await call(getBranch, { id: 'x', branch: 'main' }, context)).toMatchObject({ can_push: true });
});

it('opens and closes a branch in the older way', async () => {
  const { context, contextAs } = await under.newProject();
  const { client } = under;
  const open = { id: 'x', branch: 'main', developers_can_push: true };
  expect(await client.call(protectBranch, open, context)).toMatchObject({ protected: true, developers_can_push: true });
  await client.call(createCommit, commitTo('main'), contextAs(Access.Developer));
  expect(await client.call(unprotectBranch, { id: 'x', branch: 'main' }, context)).toMatchObject({ protected: false });
  expect((await client.call(listProtectedBranches, { id: 'x' }, context)).items).toEqual([]);
});

it('protects branches that match a pattern, once', async () => {
  const { context, contextAs, branch } = await under.newProject();
  const { client } = under;
  await branch('release/1');
  const wanted = { id: 'x', name: 'release/*', push_access_level: 0 as const, merge_access_level: 30 as const };
  expect(await client.call(protectBranches, wanted, context)).toMatchObject({
    name: 'release/*',
    push_access_levels: [{ access_level: 0, access_level_description: 'No one' }],
  });
  await expect(client.call(protectBranches, wanted, context)).rejects.toMatchObject(refused('protection.branch_taken'));
  await expect(client.call(createCommit, commitTo('release/1'), context)).rejects.toMatchObject(
    refused('protection.push_refused'),
  );
  await expect(client.call(deleteBranch, { id: 'x', branch: 'release/1' }, context)).rejects.toMatchObject(
    refused('protection.branch_kept'),
  );
  await client.call(unprotectBranches, { id: 'x', name: 'release/*' }, context);
  await client.call(deleteBranch, { id: 'x', branch: 'release/1' }, contextAs(Access.Developer));
  await expect(client.call(getProtectedBranch, { id: 'x', name: 'release/*' }, context)).rejects.toMatchObject(
    refused('common.not_found'),
  );
});

it('keeps history of protected branches if a commit would replace them', async () => {
  const { context, branch } = await under.newProject();
  await branch('old');
  const replace = commitTo('main', { start_branch: 'old', force: true });
  await expect(under.client.call(createCommit, replace, context)).rejects.toMatchObject(
    refused('protection.push_refused'),
  );
});

it('reserves tags of a pattern for maintainers', async () => {
  const { context, contextAs } = await under.newProject();
  const { client } = under;
  await client.call(protectTags, { id: 'x', name: 'v*' }, context);
  const tag = { id: 'x', tag_name: 'v1', ref: 'main' };
  await expect(client.call(createTag, tag, contextAs(Access.Developer))).rejects.toMatchObject(
    refused('protection.tag_refused'),
  );
  await client.call(createTag, tag, context);
  await client.call(createTag, { ...tag, tag_name: 'nightly' }, contextAs(Access.Developer));
  const { items } = await client.call(listTags, { id: 'x', order_by: 'name', sort: 'asc' }, context);
  expect(items.map((one) => [one.name, one.protected])).toEqual([
    ['nightly', false],
    ['v1', true],
  ]);
});

// Permission to push or merge is permission to run pipelines there.
it('answers the ci service whether a user may run pipelines on a branch or tag', async () => {
  const { context, contextAs } = await under.newProject();
  const { client } = under;
  await client.call(protectTags, { id: 'x', name: 'v*' }, context);
  await client.call(createTag, { id: 'x', tag_name: 'v1', ref: 'main' }, context);
  await client.call(createTag, { id: 'x', tag_name: 'nightly', ref: 'main' }, context);
  const mayRun = async (ref: string, level: typeof Access.Developer | typeof Access.Maintainer) => {
    const { project } = contextAs(level);
    const source = await client.call(ciSource, { ref, path: '.gitlab-ci.yml' }, { project });
    const { may_update } = await client.call(ciRefAccess, { ref }, { project });
    expect(source?.may_update).toBe(may_update);
    return [may_update, source?.is_protected];
  };
  expect(await mayRun('main', Access.Developer)).toEqual([false, true]);
  expect(await mayRun('main', Access.Maintainer)).toEqual([true, true]);
  expect(await mayRun('v1', Access.Developer)).toEqual([false, true]);
  expect(await mayRun('nightly', Access.Developer)).toEqual([true, false]);
  const merging = { id: 'x', name: 'main', push_access_level: 40 as const, merge_access_level: 30 as const };
  await client.call(unprotectBranches, { id: 'x', name: 'main' }, context);
  await client.call(protectBranches, merging, context);
  expect(await mayRun('main', Access.Developer)).toEqual([true, true]);
});

it('answers the ci service with the pushed commit, also if the ref has moved again or has a namesake', async () => {
  const { context, contextAs, commit } = await under.newProject();
  const { client } = under;
  const first = await commit('main', '.gitlab-ci.yml', 'first');
  await client.call(createTag, { id: 'x', tag_name: 'main', ref: first, message: 'annotated' }, context);
  const second = await commit('main', 'other', 'second');
  const { project } = contextAs(Access.Maintainer);
  const ask = async (over: object) => {
    const source = await client.call(ciSource, { ref: 'main', path: '.gitlab-ci.yml', ...over }, { project });
    return [source?.ref_type, source?.commit.id, source?.content];
  };
  expect(await client.call(ciSource, { ref: 'main', path: 'x' }, { project })).toMatchObject({
    default_branch: 'main',
  });
  expect(await ask({})).toEqual(['branch', second, 'first']);
  expect(await ask({ ref_type: 'branch', sha: first })).toEqual(['branch', first, 'first']);
  expect(await ask({ ref_type: 'tag' })).toEqual(['tag', first, 'first']);
  expect(await ask({ ref_type: 'tag', sha: second })).toEqual(['tag', second, 'first']);
});

it('answers the ci service with the changes between two commits, and the list of files', async () => {
  const { contextAs, commit, context } = await under.newProject();
  const { client } = under;
  const first = await commit('main', 'src/a.ts', 'one');
  await client.call(createBranch, { id: 'x', branch: 'side', ref: 'main' }, context);
  const side = await commit('side', 'docs/ü b.md', 'two');
  const main = await commit('main', 'c', 'three');
  const { project } = contextAs(Access.Maintainer);
  const changed = (over: Partial<InputOf<typeof ciChangedPaths>>) =>
    client.call(
      ciChangedPaths,
      { from: first, to: side, since_merge_base: false, max_paths: 10, ...over },
      { project },
    );
  expect(await changed({})).toEqual({ paths: ['docs/ü b.md'], is_truncated: false });
  expect(await changed({ from: main })).toEqual({ paths: ['c', 'docs/ü b.md'], is_truncated: false });
  expect(await changed({ from: main, max_paths: 1 })).toEqual({ paths: ['c'], is_truncated: true });
  expect(await changed({ from: main, max_bytes: 3 })).toEqual({ paths: [], is_truncated: true });
  expect(await changed({ from: 'main', to: 'side', since_merge_base: true })).toMatchObject({ paths: ['docs/ü b.md'] });
  expect(await changed({ from: 'nowhere' })).toBeNull();
  const tree = (over: Partial<InputOf<typeof ciTreePaths>>) =>
    client.call(ciTreePaths, { sha: 'side', paths: [], max_paths: 10, ...over }, { project });
  const files = ['docs/ü b.md', 'src/a.ts', 'README.md'];
  expect(await tree({})).toEqual({ existing: [], files, is_truncated: false });
  expect(await tree({ max_paths: 3 })).toEqual({ existing: [], files: ['docs/ü b.md'], is_truncated: true });
  expect(await tree({ max_bytes: 20 })).toMatchObject({ is_truncated: true });
  expect(await tree({ max_paths: 0, paths: ['src/a.ts', 'src', 'a.ts', '../x'] })).toEqual({
    ...{ existing: ['src/a.ts'], files: [], is_truncated: false },
  });
  expect(await tree({ sha: 'nowhere' })).toBeNull();
});

// Regression: accepted a force push.
it('protects the default branch that the first push creates under its own name', async () => {
  const { project, context } = await under.newProject({ defaultBranch: null });
  const empty = { ...context, project: { ...project, id: project.id + 500_000 } };
  const author = { name: 'Ada', email: 'ada@example.com' };
  await under.client.call(createRepository, { project_id: empty.project.id, default_branch: 'main', author }, empty);
  await under.client.call(createCommit, commitTo('main'), empty);
  const isProtected = async () => (await under.client.call(getBranch, { id: 'x', branch: 'main' }, empty)).protected;
  // A periodic job handles a push that was reported as failed and was made.
  await eventually(isProtected, 'the protection');
  await under.client.call(unprotectBranch, { id: 'x', branch: 'main' }, empty);
  await under.client.call(createCommit, commitTo('main'), empty);
  expect(await under.client.call(getBranch, { id: 'x', branch: 'main' }, empty)).toMatchObject({ protected: false });
});

// Regression: nobody could remove such a protection.
it('lists protected branches by name, filtered by text, with their number', async () => {
  const { context } = await under.newProject();
  const names = ['a.b', 'axb', 'Release/1', 'release/*', 'release/2'];
  for (const name of names) await under.client.call(protectBranches, { id: 'x', name }, context);
  const list = async (input: object) => {
    const { items, total } = await under.client.call(listProtectedBranches, { id: 'x', ...input }, context);
    return { names: items.map(({ name }) => name), total };
  };
  expect(await list({ per_page: 4 })).toEqual({ names: ['Release/1', 'a.b', 'axb', 'main'], total: 6 });
  expect(await list({ per_page: 4, page: 2 })).toEqual({ names: ['release/*', 'release/2'], total: 6 });
  expect(await list({ search: 'a.b' })).toEqual({ names: ['a.b'], total: 1 });
  expect(await list({ search: 'release/*' })).toEqual({ names: ['release/*'], total: 1 });
  expect(await list({ search: 'elease', per_page: 2 })).toEqual({ names: ['Release/1', 'release/*'], total: 3 });
});

it('matches patterns beside names, also those of an earlier version', async () => {
  const { context, branch } = await under.newProject();
  for (const name of ['release/1', 'release/2', 'hotfix/1', 'topic']) await branch(name);
  for (const name of ['release/*', 'hotfix/*', 'topic', '*nothing*'])
    await under.client.call(protectBranches, { id: 'x', name }, context);
  await branch('topics');
  const database = await createConnection(under.env.MONGODB_URI!).asPromise();
  const refs = database.useDb(`${under.env.MONGODB_PREFIX}_repository`).collection('protected_refs');
  await refs.updateMany({ projectId: context.project.id, name: 'hotfix/*' }, { $unset: { isPattern: 1 } });
  await database.close();
  const { items } = await under.client.call(listBranches, { id: 'x' }, context);
  expect(items.map((each) => [each.name, each.protected])).toEqual([
    ['hotfix/1', true],
    ['main', true],
    ['release/1', true],
    ['release/2', true],
    ['topic', true],
    ['topics', false],
  ]);
});

it('treats an empty list of levels as missing', async () => {
  const { context } = await under.newProject();
  const none = { allowed_to_push: [], allowed_to_merge: [], allowed_to_unprotect: [] };
  const made = await under.client.call(protectBranches, { id: 'x', name: 'kept', ...none }, context);
  expect([made.push_access_levels, made.merge_access_levels, made.unprotect_access_levels]).toEqual(
    Array(3).fill([expect.objectContaining({ access_level: Access.Maintainer })]),
  );
  await under.client.call(updateProtectedBranch, { id: 'x', name: 'kept', ...none }, context);
  await under.client.call(unprotectBranches, { id: 'x', name: 'kept' }, context);
});

it('lists all protections of a project for the site that copies it', async () => {
  const { context } = await under.newProject();
  await under.client.call(protectBranches, { id: 'x', name: 'release-*', allow_force_push: true }, context);
  await under.client.call(protectTags, { id: 'x', name: 'v*' }, context);
  const listed = await under.client.call(listProtections, { project_id: context.project.id });
  // Including that of the default branch.
  expect(listed).toHaveLength(3);
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'branch',
        name: 'release-*',
        pushLevels: [40],
        mergeLevels: [40],
        allowsForcePush: true,
      }),
      expect.objectContaining({ kind: 'tag', name: 'v*', pushLevels: [40], mergeLevels: [], allowsForcePush: false }),
    ]),
  );
});
