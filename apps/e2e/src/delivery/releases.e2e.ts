import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

async function newProject() {
  const user = await newUser('owner');
  const project = await user.client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  return { ...user, project };
}

it('releases through the client, as release tools do', async () => {
  const { client, project, username } = await newProject();
  const head = (await client.Branches.show(project.id, 'main')).commit.id;
  await client.ProjectMilestones.create(project.id, 'first');
  const made = await client.ProjectReleases.create(project.id, {
    tagName: 'v1.0/a',
    ref: 'main',
    name: 'One',
    description: 'What is new',
    milestones: ['first'],
    assets: { links: [{ name: 'app', url: 'https://example.com/app', filepath: '/bin/app', link_type: 'package' }] },
  });
  expect(made).toMatchObject({
    tag_name: 'v1.0/a',
    name: 'One',
    author: { username },
    commit: { id: head },
    milestones: [{ title: 'first' }],
    assets: { count: 5, links: [{ name: 'app', link_type: 'package' }] },
  });
  expect((await client.Tags.show(project.id, 'v1.0/a')).release).toEqual({
    tag_name: 'v1.0/a',
    description: 'What is new',
  });
  await expect(client.ProjectReleases.create(project.id, { tagName: 'v1.0/a' })).rejects.toThrow(/already exists/);
  await expect(client.ProjectReleases.create(project.id, { tagName: 'v2' })).rejects.toThrow(/Ref is not specified/);

  await client.ProjectReleases.edit(project.id, 'v1.0/a', { description: 'Changed' });
  expect(await client.ProjectReleases.showLatest(project.id)).toMatchObject({ name: 'One', description: 'Changed' });
  expect(await client.ProjectReleases.createEvidence(project.id, 'v1.0/a')).toBe(200);
  const [listed] = await client.ProjectReleases.all(project.id, { includeHtmlDescription: true });
  expect(listed).toMatchObject({ description_html: '<p>Changed</p>', evidences: [{ sha: expect.any(String) }] });
  expect(await client.ProjectReleases.remove(project.id, 'v1.0/a')).toMatchObject({ tag_name: 'v1.0/a' });
  expect((await client.Tags.show(project.id, 'v1.0/a')).release).toBeNull();
});

it('have links, which redirect', async () => {
  const { client, project, token } = await newProject();
  await client.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main' });
  const url = 'https://example.com/app?x=ü';
  const link = await client.ReleaseLinks.create(project.id, 'v1', 'app', url, {
    directAssetPath: '/bin/app',
  });
  await client.ReleaseLinks.edit(project.id, 'v1', link.id, { linkType: 'image' });
  expect(await client.ReleaseLinks.show(project.id, 'v1', link.id)).toMatchObject({ name: 'app', link_type: 'image' });
  const latest = `/api/v4/projects/${project.id}/releases/permalink/latest/downloads/bin/app`;
  const first = await ask(latest, { token, redirect: 'manual' });
  const release = first.headers.get('location');
  expect([first.status, release]).toEqual([302, `/api/v4/projects/${project.id}/releases/v1/downloads/bin/app`]);
  const second = await ask(String(release), { token, redirect: 'manual' });
  expect([second.status, second.headers.get('location')]).toEqual([302, new URL(url).href]);
  await client.ReleaseLinks.remove(project.id, 'v1', link.id);
  expect(await client.ReleaseLinks.all(project.id, 'v1')).toEqual([]);
});

it('has archives of the repository at the tag', async () => {
  const { client, project, token } = await newProject();
  const { assets } = await client.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main' });
  const zip = assets.sources?.find(({ format }) => format === 'zip')?.url;
  const { pathname, search } = new URL(String(zip));
  const archive = await ask(pathname + search, { token });
  expect([archive.status, (await archive.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
});

it('ends a release with its tag', async () => {
  const { client, project } = await newProject();
  await client.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main' });
  await client.Tags.remove(project.id, 'v1');
  await until('the end of the release', async () => (await client.ProjectReleases.all(project.id)).length === 0);
});

it('lists the releases of projects below a group', async () => {
  const { client } = await newUser('owner');
  const group = await client.Groups.create(uniqueName('group'), uniqueName('group'));
  for (const tagName of ['a', 'b']) {
    const given = { name: uniqueName('project'), namespaceId: group.id, initializeWithReadme: true };
    const project = await client.Projects.create(given);
    await client.ProjectReleases.create(project.id, { tagName, ref: 'main' });
  }
  expect((await client.GroupReleases.all(group.id)).map(({ tag_name }) => tag_name)).toEqual(['b', 'a']);
});
