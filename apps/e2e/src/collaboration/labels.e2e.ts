import { newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Labels of projects and groups, by a v4 client. */

type Labels = World['member']['client']['GroupLabels'];

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
});

const kinds: Record<string, (world: World) => [number, Labels]> = {
  project: ({ projectId, member }) => [projectId, member.client.ProjectLabels],
  group: ({ groupId, member }) => [groupId, member.client.GroupLabels],
};

it.each(Object.keys(kinds))('of a %s are created, read, listed, changed and deleted', async (kind) => {
  const [parent, labels] = kinds[kind]!(world);
  const made = await labels.create(parent, `new-${kind}`, 'navy', { description: 'A label' });
  expect(made).toMatchObject({ name: `new-${kind}`, color: '#000080', text_color: '#FFFFFF', description: 'A label' });
  expect(await labels.show(parent, made.id)).toMatchObject({ id: made.id });
  expect(await labels.show(parent, `new-${kind}`)).toMatchObject({ id: made.id });
  const edited = await labels.edit(parent, made.id, { newName: `old-${kind}`, description: '' });
  expect(edited).toMatchObject({ id: made.id, name: `old-${kind}`, color: '#000080' });
  await expect(labels.create(parent, `old-${kind}`, '#fff')).rejects.toThrow(/Label already exists/);
  await expect(labels.create(parent, 'colourless', 'none')).rejects.toThrow(/must be a valid color code/);
  expect(await labels.all(parent, { search: `old-${kind}` })).toMatchObject([{ id: made.id }]);
  await labels.remove(parent, made.id);
  await expect(labels.show(parent, made.id)).rejects.toThrow(/404 Label Not Found/);
});

it('have counts of records that the caller may see', async () => {
  const { projectId, member } = world;
  const { Issues, ProjectLabels } = member.client;
  await ProjectLabels.create(projectId, 'counted', '#123456');
  await Issues.create(projectId, 'One', { labels: 'counted' });
  const { iid } = await Issues.create(projectId, 'Two', { labels: 'counted' });
  await Issues.edit(projectId, iid, { stateEvent: 'close' });
  expect(await ProjectLabels.all(projectId, { withCounts: true, search: 'counted' })).toMatchObject([
    { open_issues_count: 1, closed_issues_count: 1, open_merge_requests_count: 0 },
  ]);
  const { client } = await newUser('stranger');
  await expect(client.ProjectLabels.create(projectId, 'mine', '#123456')).rejects.toThrow(/403/);
});

it('are promoted to labels of the group, which issues keep', async () => {
  const { projectId, groupId, member } = world;
  const { Issues, ProjectLabels, GroupLabels } = member.client;
  const { id } = await ProjectLabels.create(projectId, 'promoted', '#123456');
  const { iid } = await Issues.create(projectId, 'Bears it', { labels: 'promoted' });
  await ProjectLabels.promote(projectId, id);
  expect(await GroupLabels.show(groupId, 'promoted')).toMatchObject({ name: 'promoted', color: '#123456' });
  expect(await Issues.show(iid, { projectId })).toMatchObject({ labels: ['promoted'] });
  const [listed] = await ProjectLabels.all(projectId, { search: 'promoted' });
  expect(listed).toMatchObject({ is_project_label: false });
});
