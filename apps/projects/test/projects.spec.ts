import {
  addProjectMember,
  commonErrors,
  countProjectRecords,
  createGroup,
  createProject,
  createRepository,
  deleteProject,
  getProject,
  getProjectImport,
  importFinished,
  listProjects,
  projectChanged,
  projectDeleted,
  readableProjects,
  repositoryPushed,
  resolveProject,
  transferProject,
  updateProject,
} from '@moothall/contracts';
import { eventually, itWithoutFaults } from '@moothall/testing';
import { Namespaces } from '../src/namespace/namespace.repository';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects({ REGISTRY_EXTERNAL_URL: 'https://registry.test:5050' });
});
afterAll(() => projects?.stop());

describe('creating a project', () => {
  it('puts it into the caller’s own namespace, with a repository', async () => {
    const ann = await projects.user();
    const created = await projects.ask(ann, createProject, { name: 'My Tool', description: 'x', topics: ['a', 'a'] });
    expect(created).toMatchObject({
      name: 'My Tool',
      path: 'my-tool',
      path_with_namespace: `${ann.username}/my-tool`,
      default_branch: null,
      empty_repo: true,
      visibility: 'private',
      tag_list: ['a'],
      namespace: { kind: 'user', full_path: ann.username },
      owner: { id: ann.id },
      permissions: { project_access: { access_level: 40 }, group_access: null },
    });
    expect(projects.repositories.get(created.id)).toMatchObject({ default_branch: 'main' });
    expect((await projects.client.call(countProjectRecords, {})).projects).toBeGreaterThan(0);
    expect(projects.events(projectChanged).map(({ data }) => data)).toContainEqual({
      project_id: created.id,
      full_path: `${ann.username}/my-tool`,
      change: 'created',
      actor_id: ann.id,
    });
  });

  it('shows the default branch once there is a commit', async () => {
    const ann = await projects.user();
    const input = { name: 'tool', initialize_with_readme: true, default_branch: 'trunk' };
    const created = await projects.ask(ann, createProject, input);
    expect(created).toMatchObject({ default_branch: 'trunk', empty_repo: false });
    expect(created.readme_url).toBe(`http://moothall.test/${ann.username}/tool/-/blob/trunk/README.md`);
    const other = { name: 'other', initialize_with_readme: true, default_branch: 'deep/#1&ü' };
    const { readme_url } = await projects.ask(ann, createProject, other);
    expect(readme_url).toBe(`http://moothall.test/${ann.username}/other/-/blob/deep/%231%26%C3%BC/README.md`);
  });

  it('refuses a path that differs from a used one in case only', async () => {
    const ann = await projects.user();
    await projects.ask(ann, createProject, { name: 'tool' });
    expect(await refusal(projects.ask(ann, createProject, { name: 'x', path: 'TOOL' }))).toEqual({
      code: 'common.invalid_record',
      message: { name: ['has already been taken'], path: ['has already been taken'] },
    });
  });

  it('accepts one of two concurrent requests with the same path', async () => {
    const ann = await projects.user();
    const attempts = [1, 2, 3, 4].map(() => projects.ask(ann, createProject, { path: 'same' }));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses a path that a subgroup has, and the other way round', async () => {
    const ann = await projects.user();
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group') });
    await projects.ask(ann, createGroup, { name: 'sub', path: 'sub', parent_id: group.id });
    const taken = projects.ask(ann, createProject, { path: 'Sub', namespace_id: group.id });
    expect((await refusal(taken)).code).toBe('common.invalid_record');
    await projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id });
    const alsoTaken = projects.ask(ann, createGroup, { name: 'tool', path: 'tool', parent_id: group.id });
    expect((await refusal(alsoTaken)).message).toBe('Failed to save group {:path=>["has already been taken"]}');
  });

  it.each(['-a', 'a.git', 'a b', '..', 'tree', 'a/b', 'x'.repeat(256)])('refuses the path %s', async (path) => {
    const ann = await projects.user();
    expect((await refusal(projects.ask(ann, createProject, { name: 'x', path }))).message).toHaveProperty('path');
  });

  it('refuses a namespace if the caller is not a developer', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group'), visibility: 'public' });
    const refused = projects.ask(ben, createProject, { name: 'x', namespace_id: group.id });
    expect((await refusal(refused)).code).toBe('project.namespace_not_valid');
  });

  it('refuses to be wider than its group', async () => {
    const ann = await projects.user();
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group') });
    const refused = projects.ask(ann, createProject, { name: 'x', namespace_id: group.id, visibility: 'public' });
    expect((await refusal(refused)).message).toEqual({
      visibility_level: ['public is not allowed in a private group.'],
    });
  });

  itWithoutFaults('leaves nothing if the repository cannot be created, and frees the path', async () => {
    const ann = await projects.user();
    const answer = jest.fn().mockReturnValueOnce(commonErrors.unavailable());
    const before = projects.repositories.size;
    projects.respond(createRepository, (input) => {
      const error = answer();
      if (error) return error;
      projects.repositories.set(input.project_id, input);
      return { default_branch: null, is_empty: true, readme_path: null };
    });
    expect((await refusal(projects.ask(ann, createProject, { path: 'tool' }))).code).toBe('common.unavailable');
    expect(projects.repositories.size).toBe(before);
    const gone = projects.events(projectDeleted).filter(({ data }) => data.full_path === `${ann.username}/tool`);
    expect(gone).toHaveLength(1);
    await expect(projects.ask(ann, createProject, { path: 'tool' })).resolves.toMatchObject({ path: 'tool' });
  });
});

describe('reading projects', () => {
  it('hides a private project from others, also its path', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'tool' });
    for (const id of [String(project.id), `${ann.username}/tool`]) {
      expect((await refusal(projects.ask(ben, getProject, { id }))).code).toBe('project.not_found');
      expect((await refusal(projects.ask(undefined, getProject, { id }))).code).toBe('project.not_found');
    }
  });

  it('hides projects of a namespace that is being deleted, and then itself', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'tool' });
    await projects.running.app.get(Namespaces, { strict: false }).model.deleteOne({ _id: project.namespace.id });
    expect((await refusal(projects.ask(ann, getProject, { id: String(project.id) }))).code).toBe('project.not_found');
  });

  it('shows a moved project where it is, although the caller found it elsewhere', async () => {
    const ann = await projects.user();
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('g') });
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const principal = { user_id: ann.id, is_admin: false, is_external: false };
    const { project } = await projects.client.call(resolveProject, { project: String(id), ...principal });
    await projects.ask(ann, transferProject, { id: String(id), namespace: group.id });
    const outdated = { requestId: 'test', caller: ann, project };
    const seen = await projects.client.call(getProject, { id: String(id) }, outdated);
    expect(seen).toEqual(await projects.ask(ann, getProject, { id: String(id) }));
    expect(seen.namespace.id).toBe(group.id);
  });

  it('finds a project by its path in any case', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'tool' });
    const found = await projects.ask(ann, getProject, { id: `${ann.username.toUpperCase()}/TOOL` });
    expect(found.id).toBe(project.id);
  });

  it('shows anonymous callers the simple view of public ones', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
    const seen = await projects.ask(undefined, getProject, { id: String(project.id) });
    expect(seen).toMatchObject({ id: project.id, name: 'tool' });
    expect(seen).not.toHaveProperty('permissions');
    expect(seen).not.toHaveProperty('merge_method');
  });

  it('contains the image prefix of a project, also in lists', async () => {
    const ann = await projects.user();
    const { id, container_registry_image_prefix: prefix } = await projects.ask(ann, createProject, {
      name: 'Tool',
      path: 'My-Tool',
    });
    expect(prefix).toBe(`registry.test:5050/${ann.username}/my-tool`.toLowerCase());
    const { items } = await projects.ask(ann, listProjects, { owned: true });
    expect(items).toMatchObject([{ id, container_registry_image_prefix: prefix }]);
  });

  it('lists readable projects, and pages by keyset without gaps', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const mine = [];
    for (let at = 0; at < 5; at += 1) mine.push(await projects.ask(ann, createProject, { name: `p${at}` }));
    await projects.ask(ben, createProject, { name: 'hidden' });
    const seen: number[] = [];
    let next: Record<string, string | number> | undefined = {};
    while (next) {
      const page: Awaited<ReturnType<typeof projects.client.call<typeof listProjects>>> = await projects.ask(
        ann,
        listProjects,
        { membership: true, pagination: 'keyset', order_by: 'id', sort: 'asc', per_page: 2, ...next },
      );
      expect(page.isKeyset).toBe(true);
      seen.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
    expect(seen).toEqual(mine.map(({ id }) => id));
    const refused = projects.ask(ann, listProjects, { pagination: 'keyset', order_by: 'name' });
    expect((await refusal(refused)).code).toBe('project.keyset_unsupported');
  });

  it('searches words in name, path and description', async () => {
    const ann = await projects.user();
    const word = uniqueName('Needle');
    const project = await projects.ask(ann, createProject, { name: 'tool', description: `a ${word} (c++)` });
    const search = async (text: string) =>
      (await projects.ask(ann, listProjects, { search: text })).items.map(({ id }) => id);
    expect(await search(`${word.toLowerCase()} (c++`)).toEqual([project.id]);
    expect(await search(`${word} other`)).toEqual([]);
  });

  it('returns to other services the projects that a user reads, page by page', async () => {
    const ann = await projects.user();
    const first = await projects.ask(ann, createProject, { name: 'one' });
    const second = await projects.ask(ann, createProject, { name: 'two' });
    const principal = { user_id: ann.id, is_external: true };
    const page = await projects.client.call(readableProjects, { ...principal, after_id: first.id - 1, limit: 1 });
    expect(page).toMatchObject([{ id: first.id, accessLevel: 50 }]);
    const rest = await projects.client.call(readableProjects, { ...principal, after_id: first.id });
    expect(rest.map(({ id }) => id)).toEqual([second.id]);
  });
});

describe('changing a project', () => {
  it('redirects old paths', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'old' });
    await projects.ask(ann, updateProject, { id: String(project.id), path: 'newer', name: 'Newer' });
    const principal = { user_id: ann.id };
    const atOld = await projects.client.call(resolveProject, { project: `${ann.username}/old`, ...principal });
    const atNew = await projects.client.call(resolveProject, { project: `${ann.username}/NEWER`, ...principal });
    expect([atOld.redirected, atNew.redirected]).toEqual([true, false]);
    expect(atOld.project.fullPath).toBe(`${ann.username}/newer`);
    const taker = await projects.ask(ann, createProject, { path: 'old' });
    const taken = await projects.client.call(resolveProject, { project: `${ann.username}/old`, ...principal });
    expect(taken).toMatchObject({ redirected: false, project: { id: taker.id } });
  });

  it('changes only the given fields', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool', lfs_enabled: false });
    const changes = { merge_method: 'ff', issues_enabled: false, wiki_access_level: 'private', public_jobs: false };
    const updated = await projects.ask(ann, updateProject, { id: String(id), ...changes } as never);
    expect(updated).toMatchObject({
      ...changes,
      issues_access_level: 'disabled',
      wiki_enabled: true,
      lfs_enabled: false,
      name: 'tool',
    });
    const { project } = await projects.client.call(resolveProject, { project: String(id), user_id: ann.id });
    expect(project).toMatchObject({ publicBuilds: false, features: { issues: 'disabled', wiki: 'private' } });
  });

  it('is for maintainers', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    await projects.ask(ann, addProjectMember, { id: String(id), user_id: [ben.id], access_level: 30 });
    const refused = projects.ask(ben, updateProject, { id: String(id), name: 'mine' });
    expect((await refusal(refused)).code).toBe('common.forbidden');
  });

  it('follows pushes and imports', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool', import_url: 'https://example.com/x.git' });
    const state = { default_branch: 'trunk', is_empty: false, readme_path: 'README' };
    projects.setState(id, state);
    const push = { project_id: id, user_id: ann.id, ref: 'refs/heads/trunk', before: '0', after: '1' };
    await projects.emit(repositoryPushed, { ...push, ...state });
    const read = () => projects.ask(ann, getProject, { id: String(id) });
    await eventually(async () => (await read()).default_branch === 'trunk', 'the default branch');
    await projects.emit(importFinished, { project_id: id, error: 'no route', ...state });
    await eventually(async () => (await read()).import_status === 'failed', 'the end of the import');
    const missing_objects = 'Git LFS: the other server answers 403';
    await projects.emit(importFinished, { project_id: id, error: null, missing_objects, ...state });
    await eventually(async () => (await read()).import_status === 'finished', 'the other end of the import');
    expect(await projects.ask(ann, getProjectImport, { id: String(id) })).toMatchObject({
      import_error: null,
      failed_relations: [{ relation_name: 'lfs_objects', exception_message: missing_objects }],
    });
  });

  // Events come twice and in any order.
  it('stores the current state of the repository, also after a late event of an old push', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    projects.setState(id, { default_branch: 'trunk', is_empty: false, readme_path: 'README' });
    const push = { project_id: id, user_id: ann.id, ref: 'refs/heads/main', before: '0', after: '1' };
    const old = { default_branch: 'main', is_empty: true, readme_path: null };
    const read = () => projects.ask(ann, getProject, { id: String(id) });
    await projects.emit(repositoryPushed, { ...push, ...old });
    await eventually(async () => (await read()).default_branch === 'trunk', 'the default branch of now');
    expect(await read()).toMatchObject({ default_branch: 'trunk', empty_repo: false });
  });

  it('publishes the user and the values before', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    await projects.ask(ann, updateProject, { id: String(id), path: 'crane', visibility: 'public' });
    await projects.ask(ann, updateProject, { id: String(id), description: 'Lifts' });
    const published = projects.events(projectChanged).filter(({ data }) => data.project_id === id);
    expect(published.slice(1).map(({ data }) => data)).toEqual([
      {
        project_id: id,
        full_path: `${ann.username}/crane`,
        change: 'renamed',
        before: { full_path: `${ann.username}/tool`, visibility: 'private' },
        actor_id: ann.id,
      },
      { project_id: id, full_path: `${ann.username}/crane`, change: 'updated', before: {}, actor_id: ann.id },
    ]);
  });

  it('deletes it for everybody, with its event, and frees the path', async () => {
    const ann = await projects.user();
    const { id, namespace } = await projects.ask(ann, createProject, { name: 'tool' });
    await projects.ask(ann, deleteProject, { id: String(id) });
    expect((await refusal(projects.ask(ann, getProject, { id: String(id) }))).code).toBe('project.not_found');
    expect(projects.events(projectDeleted).map(({ data }) => data)).toContainEqual({
      project_id: id,
      full_path: `${ann.username}/tool`,
      storage: 'default',
      name: 'tool',
      visibility: 'private',
      namespace_id: namespace.id,
      group_ids: [],
      owner_id: ann.id,
      actor_id: ann.id,
    });
    await projects.ask(ann, createProject, { name: 'tool' });
  });
});
