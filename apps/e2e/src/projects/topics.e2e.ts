import { newUser, root, uniqueName } from '../server/connection';

/* Topics, and custom attributes of projects and groups. */

it('topics are found with their projects, renamed, merged and deleted', async () => {
  const user = await newUser();
  const [name, other] = [uniqueName('topic'), uniqueName('other')];
  const topic = await root.Topics.create(name, { description: 'of tests' });
  expect(topic).toMatchObject({ name, title: name, total_projects_count: 0 });
  const project = await user.client.Projects.create({ name: uniqueName('p'), topics: [name, other] });
  expect(await user.client.Topics.show(topic.id)).toMatchObject({ total_projects_count: 1 });
  expect(await user.client.Topics.all({ search: name })).toMatchObject([{ id: topic.id }]);
  const renamed = uniqueName('renamed');
  await root.Topics.edit(topic.id, { name: renamed });
  expect(await user.client.Projects.all({ topic: renamed, owned: true })).toMatchObject([{ id: project.id }]);
  const [target] = await user.client.Topics.all({ search: other });
  await root.Topics.merge(topic.id, target!.id);
  expect(await user.client.Projects.show(project.id)).toMatchObject({ topics: [other] });
  await expect(user.client.Topics.remove(target!.id)).rejects.toThrow(/403/);
  await root.Topics.remove(target!.id);
  expect(await user.client.Projects.show(project.id)).toMatchObject({ topics: [] });
});

it('custom attributes are for administrators', async () => {
  const user = await newUser();
  const project = await user.client.Projects.create({ name: uniqueName('p') });
  const group = await user.client.Groups.create(uniqueName('g'), uniqueName('g'));
  const place = { key: 'place', value: 'Oslo' };
  expect(await root.ProjectCustomAttributes.set(project.id, 'place', 'Oslo')).toEqual(place);
  expect(await root.ProjectCustomAttributes.show(project.id, 'place')).toEqual(place);
  expect(await root.ProjectCustomAttributes.all(project.id)).toEqual([place]);
  await expect(user.client.ProjectCustomAttributes.all(project.id)).rejects.toThrow(/403/);
  await root.ProjectCustomAttributes.remove(project.id, 'place');
  expect(await root.ProjectCustomAttributes.all(project.id)).toEqual([]);
  expect(await root.GroupCustomAttributes.set(group.id, 'place', 'Oslo')).toEqual(place);
  expect(await root.GroupCustomAttributes.all(group.id)).toEqual([place]);
  await expect(user.client.GroupCustomAttributes.all(group.id)).rejects.toThrow(/403/);
  await root.GroupCustomAttributes.remove(group.id, 'place');
});
