import {
  createProject,
  createTopic,
  deleteProject,
  deleteTopic,
  getProject,
  getTopic,
  getTopicAvatar,
  listProjects,
  listTopics,
  mergeTopics,
  updateProject,
  updateTopic,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, UploadStore } from '@moothall/testing';
import { ProjectTopics } from '../src/project/project-topics';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let projects: ProjectsUnderTest;
let files: UploadStore;
beforeAll(async () => {
  files = await UploadStore.start();
  projects = await startProjects();
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

const administrator = () => projects.user(undefined, { isAdmin: true });

/** Projects of one user, with these topics. */
async function withTopics(...topics: string[][]) {
  const ann = await projects.user();
  const made = [];
  for (const own of topics)
    made.push(await projects.ask(ann, createProject, { name: uniqueName('tool'), visibility: 'public', topics: own }));
  return { ann, ids: made.map(({ id }) => String(id)) };
}

const found = async (search: string) => (await projects.ask(undefined, listTopics, { search })).items;
const topicsOf = async (id: string) => (await projects.ask(undefined, getProject, { id })).topics;

it('are created with the projects that have them, and are counted', async () => {
  const name = uniqueName('Topic');
  const { ann, ids } = await withTopics([name], [name.toLowerCase(), 'other']);
  expect(await found(name)).toMatchObject([{ name, title: name, total_projects_count: 2, avatar_url: null }]);
  // In the spelling of the topic.
  expect(await topicsOf(ids[1]!)).toEqual([name, 'other']);
  expect((await projects.ask(undefined, listProjects, { topic: [name] })).items).toHaveLength(2);
  await projects.ask(ann, updateProject, { id: ids[0]!, topics: [] });
  expect(await found(name)).toMatchObject([{ total_projects_count: 1 }]);
  await projects.ask(ann, deleteProject, { id: ids[1]! });
  await eventually(async () => (await found(name))[0]?.total_projects_count === 0, 'the count');
  const without = await projects.ask(undefined, listTopics, { search: name, without_projects: true });
  expect(without.items).toMatchObject([{ name }]);
});

it('are changed by administrators only, and each name is unique', async () => {
  const root = await administrator();
  const name = uniqueName('topic');
  const made = await projects.ask(root, createTopic, { name, title: 'A topic', description: 'of tests' });
  expect(made).toMatchObject({ name, title: 'A topic', description: 'of tests', total_projects_count: 0 });
  const twice = projects.ask(root, createTopic, { name: name.toUpperCase(), title: 'x' });
  expect((await refusal(twice)).code).toBe('topic.taken');
  const ann = await projects.user();
  expect((await refusal(projects.ask(ann, createTopic, { name: 'x', title: 'x' }))).code).toBe('common.forbidden');
  const changed = await projects.ask(root, updateTopic, { id: made.id, title: 'Second' });
  expect(changed).toMatchObject({ title: 'Second', description: 'of tests' });
  expect((await refusal(projects.ask(undefined, getTopic, { id: 999_999 }))).code).toBe('topic.not_found');
});

it('have pictures', async () => {
  const root = await administrator();
  const avatar = files.add(png, 'face.png');
  const { id, avatar_url } = await projects.ask(root, createTopic, { name: uniqueName('t'), title: 't', avatar });
  expect(avatar_url).toMatch(new RegExp(`/uploads/-/system/projects/topic/avatar/${id}/face.png$`));
  const { url } = await projects.ask(undefined, getTopicAvatar, { id, filename: 'face.png' });
  expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(png);
  const other = projects.ask(undefined, getTopicAvatar, { id, filename: 'other.png' });
  expect((await refusal(other)).code).toBe('common.not_found');
  expect(await projects.ask(root, updateTopic, { id, avatar: '' })).toMatchObject({ avatar_url: null });
});

it('are renamed in their projects too', async () => {
  const root = await administrator();
  const [name, other] = [uniqueName('old'), uniqueName('new')];
  const { ids } = await withTopics([name], ['kept', name]);
  const { id } = (await found(name))[0]!;
  expect(await projects.ask(root, updateTopic, { id, name: other })).toMatchObject({
    name: other,
    total_projects_count: 2,
  });
  expect(await topicsOf(ids[0]!)).toEqual([other]);
  expect(await topicsOf(ids[1]!)).toEqual(['kept', other]);
  const taken = projects.ask(root, updateTopic, { id, name: 'kept' });
  expect((await refusal(taken)).code).toBe('topic.taken');
});

it('are merged, and projects have the other once', async () => {
  const root = await administrator();
  const [from, to] = [uniqueName('from'), uniqueName('to')];
  const { ids } = await withTopics([from], [from, to], [to]);
  const [source, target] = [(await found(from))[0]!.id, (await found(to))[0]!.id];
  const merge = { source_topic_id: source, target_topic_id: target };
  expect(await projects.ask(root, mergeTopics, merge)).toMatchObject({ id: target, total_projects_count: 3 });
  expect(await Promise.all(ids.map(topicsOf))).toEqual([[to], [to], [to]]);
  expect((await refusal(projects.ask(root, mergeTopics, merge))).code).toBe('topic.not_found');
  const same = projects.ask(root, mergeTopics, { ...merge, source_topic_id: target });
  expect((await refusal(same)).code).toBe('topic.same');
});

it('are deleted from projects, and their names are free', async () => {
  const root = await administrator();
  const name = uniqueName('gone');
  const { ids } = await withTopics([name, 'kept']);
  const { id } = (await found(name))[0]!;
  await projects.ask(root, deleteTopic, { id });
  expect(await topicsOf(ids[0]!)).toEqual(['kept']);
  expect(await found(name)).toEqual([]);
  expect((await refusal(projects.ask(root, deleteTopic, { id }))).code).toBe('topic.not_found');
  await projects.ask(root, createTopic, { name, title: name });
});

itWithoutFaults('an interrupted deletion or count is finished', async () => {
  const topics = projects.running.app.get(ProjectTopics, { strict: false });
  const [gone, counted] = [uniqueName('gone'), uniqueName('counted')];
  const { ids } = await withTopics([gone, counted]);
  const past = new Date(Date.now() - 600_000);
  const left = { nameKey: uniqueName('\0'), leavesTo: null, formerNames: [gone], unsettledAt: past };
  await topics.model.updateOne({ nameKey: gone }, { $set: left });
  await topics.model.updateOne({ nameKey: counted }, { $set: { projectsCount: 7, recount: { id: 'x', at: past } } });
  await topics.run();
  expect(await topicsOf(ids[0]!)).toEqual([counted]);
  expect(await found(counted)).toMatchObject([{ total_projects_count: 1 }]);
});

itWithoutFaults('two concurrent projects with the same new topic create it once, with a count of two', async () => {
  const name = uniqueName('both');
  await Promise.all([withTopics([name]), withTopics([name]), withTopics([name])]);
  await eventually(async () => (await found(name))[0]?.total_projects_count === 3, 'the count');
  expect(await found(name)).toHaveLength(1);
});
