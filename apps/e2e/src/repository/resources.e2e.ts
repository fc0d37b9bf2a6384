import { ask, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

async function newProject() {
  const user = await newUser('owner');
  const project = await user.client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  return { ...user, project };
}

it('writes a wiki through the client', async () => {
  const { client, project } = await newProject();
  const page = await client.ProjectWikis.create(project.id, 'Text', 'dir/My page');
  expect(page).toMatchObject({ slug: 'dir/My-page', title: 'My page', format: 'markdown' });
  await client.ProjectWikis.edit(project.id, page.slug, { title: 'Moved' });
  await client.ProjectWikis.edit(project.id, 'dir/Moved', { content: 'Other' });
  expect(await client.ProjectWikis.show(project.id, 'dir/Moved')).toMatchObject({ content: 'Other' });
  expect((await client.ProjectWikis.all(project.id, { withContent: true })).map(({ content }) => content)).toEqual([
    'Other',
  ]);
  const attached = await client.ProjectWikis.uploadAttachment(project.id, {
    content: new Blob(['PNG']),
    filename: '../../x y.png',
  });
  expect(attached).toMatchObject({ file_name: 'x_y.png', branch: 'master' });
  await client.ProjectWikis.remove(project.id, 'dir/Moved');
  await expect(client.ProjectWikis.show(project.id, 'dir/Moved')).rejects.toThrow(/404/);
});

it('serves templates of projects and of the instance', async () => {
  const { client, project, username } = await newProject();
  const licenses = await client.ProjectTemplates.all(project.id, 'licenses');
  expect(licenses.map(({ key }) => key)).toContain('mit');
  const mit = await client.ProjectTemplates.show(project.id, 'licenses', 'mit');
  expect(mit).toMatchObject({
    key: 'mit',
    content: expect.stringContaining(`${new Date().getFullYear()} The ${username}`),
  });
  expect((await client.GitignoreTemplates.show('Node')).content).toContain('node_modules');
  expect((await client.DockerfileTemplates.all()).length).toBeGreaterThan(11);
  expect((await client.GitLabCIYMLTemplates.all()).length).toBeGreaterThan(11);
  expect(await client.LicenseTemplates.show('apache-2.0')).toMatchObject({ popular: true });
  await client.RepositoryFiles.create(project.id, '.gitlab/gitignore/Ours.gitignore', 'main', 'ours\n', 'add');
  const [first] = await client.ProjectTemplates.all(project.id, 'gitignores');
  expect(first).toEqual({ key: 'Ours', name: 'Ours' });
  expect(await client.ProjectTemplates.show(project.id, 'gitignores', 'Ours')).toMatchObject({ content: 'ours\n' });
});

it('protects branches through the client', async () => {
  const { client, project } = await newProject();
  await client.ProtectedBranches.create(project.id, 'release/*', { pushAccessLevel: 0 });
  expect((await client.ProtectedBranches.all(project.id)).map(({ name }) => name)).toEqual(['main', 'release/*']);
  await client.ProtectedBranches.unprotect(project.id, 'release/*');
  await client.ProtectedTags.create(project.id, 'v*');
  expect((await client.ProtectedTags.all(project.id)).map(({ name }) => name)).toEqual(['v*']);
  const [range] = await client.RepositoryFiles.allFileBlames(project.id, 'README.md', 'main');
  expect(range!.lines?.[0]).toMatch(/^# project/);
});

it('moves a project to another storage, with all its content', async () => {
  const { client, project } = await newProject();
  await client.ProjectWikis.create(project.id, 'Text', 'Home');
  const before = await client.Branches.show(project.id, 'main');
  const move = await root.ProjectRepositoryStorageMoves.schedule('default', {
    projectId: project.id,
    destinationStorageName: 'second',
  });
  expect(move).toMatchObject({ source_storage_name: 'default', destination_storage_name: 'second' });
  await until('the end of the move', async () => {
    const { state } = await root.ProjectRepositoryStorageMoves.show(move.id, { projectId: project.id });
    expect(String(state)).not.toMatch(/failed/);
    return state === 'finished';
  });
  expect((await client.Branches.show(project.id, 'main')).commit.id).toBe(before.commit.id);
  expect(await client.ProjectWikis.show(project.id, 'Home')).toMatchObject({ content: 'Text' });
  await client.RepositoryFiles.create(project.id, 'after.txt', 'main', 'written after the move', 'add');
  expect((await root.Projects.show(project.id)).repository_storage).toBe('second');
});

it("offers the templates of a group's template project in all projects below", async () => {
  const { client, token } = await newUser('owner');
  const name = uniqueName('group');
  const group = await client.Groups.create(name, name);
  const subgroup = await client.Groups.create('below', 'below', { parentId: group.id });
  const create = (path: string, namespaceId: number) =>
    client.Projects.create({ name: path, namespaceId, initializeWithReadme: true });
  const [templates, project] = [await create('templates', group.id), await create('app', subgroup.id)];
  const elsewhere = await client.Projects.create({ name: uniqueName('elsewhere') });
  const files: [string, string][] = [
    ['Dockerfile/House.dockerfile', 'FROM house\n'],
    ['LICENSE/House.txt', 'Ours alone\n'],
  ];
  for (const [path, content] of files) await client.RepositoryFiles.create(templates.id, path, 'main', content, 'add');
  const choose = (id: number) =>
    ask(`/api/v4/groups/${group.id}?file_template_project_id=${id}`, { method: 'PUT', token }).then(
      async (answer) => [answer.status, await answer.text()] as const,
    );
  expect(await choose(elsewhere.id)).toEqual([400, expect.stringContaining('is invalid')]);
  expect(await choose(templates.id)).toEqual([
    200,
    expect.stringContaining(`"file_template_project_id":${templates.id}`),
  ]);
  const [first] = await client.ProjectTemplates.all(project.id, 'dockerfiles');
  expect(first).toEqual({ key: 'House', name: 'House' });
  expect(await client.ProjectTemplates.show(project.id, 'dockerfiles', 'House')).toEqual({
    name: 'House',
    content: 'FROM house\n',
  });
  expect(await client.ProjectTemplates.show(project.id, 'licenses', 'House')).toMatchObject({
    content: 'Ours alone\n',
  });
  expect((await client.ProjectTemplates.all(elsewhere.id, 'dockerfiles')).map(({ key }) => key)).not.toContain('House');
});
