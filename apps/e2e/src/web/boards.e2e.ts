import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';

/* A board shows each issue in the columns where a client of boards expects it. */

const evil = '<script>alert(1)</script>';
const visitor = new PageVisitor();
const path = uniqueName('boards');
let assignee: Awaited<ReturnType<typeof newUser>>;
let groupId: number;
let projectId: number;

beforeAll(async () => {
  assignee = await newUser('worker');
  await visitor.signIn(assignee.username, assignee.password);
  groupId = (await root.Groups.create(path, path, { visibility: 'public' })).id;
  projectId = (await root.Projects.create({ path: 'tool', namespaceId: groupId, visibility: 'public' })).id;
  await root.GroupMembers.add(groupId, 30, { userId: assignee.id });
  const milestone = await root.GroupMilestones.create(groupId, 'The milestone');
  const issue = (title: string, options: object = {}) => root.Issues.create(projectId, title, options);
  await issue('Plain');
  await issue('With label', { labels: 'doing', milestoneId: milestone.id });
  await issue('Assigned', { assigneeIds: [assignee.id] });
  await issue(`In the milestone ${evil}`, { milestoneId: milestone.id });
  const { iid } = await issue('Finished', { labels: 'doing' });
  await root.Issues.edit(projectId, iid, { stateEvent: 'close' });
});

const make = async (at: string, body: object) =>
  (await askJson('POST', at, { token: connection.token, body })).body as { id: number };

/** The titles in each column of a board. */
async function columnsOf(address: string): Promise<Record<string, string[]>> {
  const page = await visitor.load(address);
  const text = await page.text();
  expect([page.status, text.includes('<script')]).toEqual([200, false]);
  const sections = [...text.matchAll(/<h2 id="list-[^"]*"><bdi>([^<]*)<\/bdi>(.*?)<\/section>/gs)];
  return Object.fromEntries(
    sections.map(([, name, below]) => [name, [...below!.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, title]) => title!)]),
  );
}

const inMilestone = 'In the milestone &lt;script>alert(1)&lt;/script>';

it('of a project has open issues of no list, its lists, and closed issues', async () => {
  const board = await make(`/projects/${projectId}/boards`, { name: 'Work' });
  const labels = await root.ProjectLabels.all(projectId);
  await make(`/projects/${projectId}/boards/${board.id}/lists`, {
    label_id: labels.find(({ name }) => name === 'doing')!.id,
  });
  await make(`/projects/${projectId}/boards/${board.id}/lists`, { assignee_id: assignee.id });
  const columns = await columnsOf(`/${path}/tool/-/boards/${board.id}`);
  expect(columns).toEqual({
    Open: expect.arrayContaining(['Plain', inMilestone]),
    doing: ['With label'],
    [`The ${assignee.username}`]: ['Assigned'],
    Closed: ['Finished'],
  });
  expect(columns.Open).toHaveLength(2);
});

it('with a list of a milestone has its issues there only', async () => {
  const [milestone] = await root.GroupMilestones.all(groupId);
  const board = await make(`/projects/${projectId}/boards`, { name: 'Planning', hide_closed_list: true });
  await make(`/projects/${projectId}/boards/${board.id}/lists`, { milestone_id: milestone!.id });
  const columns = await columnsOf(`/${path}/tool/-/boards/${board.id}`);
  expect(columns).toEqual({
    Open: expect.arrayContaining(['Plain', 'Assigned']),
    'The milestone': expect.arrayContaining(['With label', inMilestone]),
  });
  expect(columns.Open).toHaveLength(2);
});

it('of a group has the issues of its scope only', async () => {
  const [milestone] = await root.GroupMilestones.all(groupId);
  const board = await make(`/groups/${groupId}/boards`, { name: 'Milestone', hide_closed_list: true });
  const scope = { milestone_id: milestone!.id, hide_closed_list: true };
  await askJson('PUT', `/groups/${groupId}/boards/${board.id}`, { token: connection.token, body: scope });
  const columns = await columnsOf(`/groups/${path}/-/boards/${board.id}`);
  expect(columns).toEqual({ Open: expect.arrayContaining(['With label', inMilestone]) });
  expect(columns.Open).toHaveLength(2);
});

it('with many lists has pages', async () => {
  const board = await make(`/projects/${projectId}/boards`, { name: 'Wide' });
  for (let number = 1; number <= 9; number++) {
    const { id } = await root.ProjectLabels.create(projectId, `list ${number}`, '#112233');
    await make(`/projects/${projectId}/boards/${board.id}/lists`, { label_id: id });
  }
  const address = `/${path}/tool/-/boards/${board.id}`;
  expect(Object.keys(await columnsOf(address))).toHaveLength(8);
  expect(Object.keys(await columnsOf(`${address}?page=2`))).toEqual(['list 8', 'list 9', 'Closed']);
});
