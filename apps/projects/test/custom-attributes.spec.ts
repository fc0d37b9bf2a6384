import {
  createGroup,
  createProject,
  deleteGroupAttribute,
  deleteProjectAttribute,
  getGroup,
  getGroupAttribute,
  getProject,
  getProjectAttribute,
  listGroupAttributes,
  listGroups,
  listProjectAttributes,
  listProjects,
  setGroupAttribute,
  setProjectAttribute,
} from '@moothall/contracts';
import { itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { refusal, startProjects, uniqueName } from './projects-under-test';

const projects = shareBetweenTests(() => startProjects());

const kinds = {
  project: {
    ...{ list: listProjectAttributes, get: getProjectAttribute },
    ...{ set: setProjectAttribute, remove: deleteProjectAttribute },
    missing: 'project.not_found',
  },
  group: {
    ...{ list: listGroupAttributes, get: getGroupAttribute },
    ...{ set: setGroupAttribute, remove: deleteGroupAttribute },
    missing: 'group.not_found',
  },
};

async function made(kind: 'project' | 'group') {
  const [root, ann] = [await projects.user(undefined, { isAdmin: true }), await projects.user()];
  const name = uniqueName('noted');
  const { id } =
    kind === 'project'
      ? await projects.ask(ann, createProject, { name, visibility: 'public' })
      : await projects.ask(ann, createGroup, { name, path: name, visibility: 'public' });
  return { root, ann, id: String(id) };
}

it.each(['project', 'group'] as const)('of a %s are set by administrators only', async (kind) => {
  const { root, ann, id } = await made(kind);
  const { list, get, set, remove, missing } = kinds[kind];
  expect(await projects.ask(root, set, { id, key: 'place', value: 'Rome' })).toEqual({ key: 'place', value: 'Rome' });
  expect(await projects.ask(root, set, { id, key: 'place', value: 'Oslo' })).toEqual({ key: 'place', value: 'Oslo' });
  expect((await projects.ask(root, list, { id })).items).toEqual([{ key: 'place', value: 'Oslo' }]);
  expect(await projects.ask(root, get, { id, key: 'place' })).toEqual({ key: 'place', value: 'Oslo' });
  expect((await refusal(projects.ask(ann, list, { id }))).code).toBe('common.forbidden');
  expect((await refusal(projects.ask(root, list, { id: '999999' }))).code).toBe(missing);
  await projects.ask(root, remove, { id, key: 'place' });
  expect((await refusal(projects.ask(root, get, { id, key: 'place' }))).code).toBe('common.not_found');
  expect((await refusal(projects.ask(root, remove, { id, key: 'place' }))).code).toBe('common.not_found');
});

it('filter projects and groups for administrators, and are hidden from others', async () => {
  const place = uniqueName('place');
  const [project, group] = [await made('project'), await made('group')];
  await projects.ask(project.root, setProjectAttribute, { id: project.id, key: 'place', value: place });
  await projects.ask(group.root, setGroupAttribute, { id: group.id, key: 'place', value: place });
  const asked = { custom_attributes: { place }, with_custom_attributes: true, per_page: 100 };
  const shown = { custom_attributes: [{ key: 'place', value: place }] };
  expect((await projects.ask(project.root, listProjects, asked)).items).toMatchObject([
    { id: Number(project.id), ...shown },
  ]);
  expect((await projects.ask(group.root, listGroups, asked)).items).toMatchObject([{ id: Number(group.id), ...shown }]);
  const all = { with_custom_attributes: true };
  expect(await projects.ask(project.root, getProject, { id: project.id, ...all })).toMatchObject(shown);
  expect(await projects.ask(group.root, getGroup, { id: group.id, ...all })).toMatchObject(shown);
  expect(await projects.ask(project.ann, getProject, { id: project.id, ...all })).not.toHaveProperty(
    'custom_attributes',
  );
  expect(await projects.ask(group.ann, getGroup, { id: group.id, ...all })).not.toHaveProperty('custom_attributes');
  const { items } = await projects.ask(project.ann, listProjects, { ...asked, owned: true });
  expect(items).toHaveLength(1);
  expect(items[0]).not.toHaveProperty('custom_attributes');
});

itWithoutFaults('are at most a hundred of one record, also under concurrent requests', async () => {
  const { root, id } = await made('project');
  const set = (number: number) => projects.ask(root, setProjectAttribute, { id, key: `key-${number}`, value: 'x' });
  const outcomes = await Promise.allSettled(Array.from({ length: 105 }, (_, number) => set(number)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  expect((await projects.ask(root, listProjectAttributes, { id, per_page: 100 })).total).toBe(100);
  expect((await refusal(set(1000))).code).toBe('custom_attribute.too_many');
});
