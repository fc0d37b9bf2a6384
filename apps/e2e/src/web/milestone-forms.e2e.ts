import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of milestones of projects and groups: creation, edits, states, promotion and deletion. */

const evil = `"><script>alert(1)</script></textarea>`;
const visitor = new PageVisitor();
let developer: Awaited<ReturnType<typeof newUser>>;
let groupId: number;
let projectId: number;
const bases = new Map<string, string>();

beforeAll(async () => {
  developer = await newUser('developer');
  await visitor.signIn(developer.username, developer.password);
  const path = uniqueName('milestone-forms');
  const group = await root.Groups.create(path, path, { visibility: 'public' });
  const project = await root.Projects.create({ path: 'tool', namespaceId: group.id, visibility: 'public' });
  await root.GroupMembers.add(group.id, 30, { userId: developer.id });
  [groupId, projectId] = [group.id, project.id];
  bases.set('project', `/${path}/tool/-/milestones`);
  bases.set('group', `/groups/${path}/-/milestones`);
});

const pathOf = ({ url }: Response) => new URL(url).pathname;

describe.each(['project', 'group'])('a milestone of a %s', (kind) => {
  const at = (below = '') => `${bases.get(kind)}${below}`;
  const milestones = () => (kind === 'project' ? root.ProjectMilestones : root.GroupMilestones);
  const owner = () => (kind === 'project' ? projectId : groupId);
  const show = async (iid: number) => (await milestones().all(owner(), { iids: [iid] }))[0];
  const create = (title: string, options = {}) => milestones().create(owner(), title, options);
  const submitNew = async (fields: Record<string, string>) =>
    visitor.submit(await visitor.load(at('/new')), fields, 'new-milestone');

  it('is created', async () => {
    expect(await (await visitor.load(at())).text()).toContain(`href="${at('/new')}"`);
    const title = `${uniqueName(kind)} ${evil}`;
    const dates = { start_date: '2030-01-02', due_date: '2030-05-06' };
    const created = await submitNew({ title, description: `**bold** ${evil}`, ...dates });
    const text = await created.text();
    expect([created.status, text.includes('<strong>bold</strong>')]).toEqual([200, true]);
    expect(text).not.toContain('<script');
    const iid = Number(/\/milestones\/(\d+)$/.exec(pathOf(created))![1]);
    expect(await show(iid)).toMatchObject({ title, description: `**bold** ${evil}`, ...dates, state: 'active' });
  });

  it('that is refused is shown as it was typed', async () => {
    const { title } = await create(uniqueName('taken'));
    for (const [fields, problem] of [
      [{ title: ' ' }, 'Title is empty.'],
      [{ title }, 'Another milestone here, or in a group above, has that title.'],
      [{ title: 'A', start_date: 'soon' }, 'Start date is invalid.'],
      [{ title: 'A', start_date: '2030-01-02', due_date: '2030-01-01' }, 'Due date must be greater than start date.'],
    ] as const) {
      const refused = await submitNew({ ...fields, description: `Typed ${evil}` });
      const text = await refused.text();
      expect([refused.status, /role="alert">([^<]*)</.exec(text)?.[1]]).toEqual([422, problem]);
      expect(text).toMatch(/<p id="(new-milestone--\w+-problem)" class="wrong">.*aria-describedby="[^"]*\1"/s);
      expect(text).toContain('>Typed &quot;>&lt;script>');
      expect(text).not.toContain('<script');
    }
  });

  it('keeps what two users change at the same time, or refuses the second one', async () => {
    const { iid, id } = await create(uniqueName('edited'), { description: 'Old', dueDate: '2030-05-06' });
    const { title } = (await show(iid))!;
    expect(await (await visitor.load(at(`/${iid}`))).text()).toContain(`href="${at(`/${iid}/edit`)}"`);
    const edit = () => visitor.load(at(`/${iid}/edit`));
    const [first, second] = [await edit(), await edit()];
    const changed = uniqueName('changed');
    await milestones().edit(owner(), id, { title: changed });
    // The due date is removed.
    const saved = await visitor.submit(first, { title, description: 'By form' }, 'milestone');
    expect(pathOf(saved)).toBe(at(`/${iid}`));
    expect(await show(iid)).toMatchObject({ title: changed, description: 'By form', due_date: null });
    const own = uniqueName('own');
    const refused = await visitor.submit(
      second,
      { title: own, description: 'Old', due_date: '2030-05-06' },
      'milestone',
    );
    const text = await refused.clone().text();
    expect([refused.status, text.includes(`value="${own}"`)]).toEqual([422, true]);
    expect(text).toContain('Title was changed by somebody else meanwhile');
    await visitor.submit(refused, { title: own, description: '' }, 'milestone');
    expect(await show(iid)).toMatchObject({ title: own, description: '' });
  });

  it('is closed, activated and deleted', async () => {
    const { iid } = await create(uniqueName('closed'));
    const closed = await visitor.submit(await visitor.load(at(`/${iid}`)), {}, 'close');
    expect((await show(iid))!.state).toBe('closed');
    const active = await visitor.submit(closed, {}, 'activate');
    expect((await show(iid))!.state).toBe('active');
    expect(await active.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*<\/p><form/);
    expect(pathOf(await visitor.submit(active, {}, 'delete'))).toBe(at());
    expect((await visitor.load(at(`/${iid}`))).status).toBe(404);
  });

  it.each(['0/edit', '999/edit', 'new/edit'])('at %s is not found', async (below) => {
    expect((await visitor.load(at(`/${below}`))).status).toBe(404);
  });
});

it('a milestone of a project is promoted to its group', async () => {
  const { iid, title } = await root.ProjectMilestones.create(projectId, uniqueName('promoted'));
  const page = await visitor.load(`${bases.get('project')}/${iid}`);
  const promoted = await visitor.submit(page, {}, 'promote');
  expect(pathOf(promoted).startsWith(`${bases.get('group')}/`)).toBe(true);
  expect(await promoted.text()).toContain(title);
  await until('the end of the old one', async () => {
    const old = await visitor.load(`${bases.get('project')}/${iid}`);
    return old.status === 404;
  });
});

it('only developers of the group are offered a promotion', async () => {
  const user = await newUser('developer');
  const own = new PageVisitor();
  await own.signIn(user.username, user.password);
  await root.ProjectMembers.add(projectId, 30, { userId: user.id });
  const { iid } = await root.ProjectMilestones.create(projectId, uniqueName('kept'));
  const offers = async (by: PageVisitor, path: string) => (await (await by.load(path)).text()).includes('"promote"');
  const path = `${bases.get('project')}/${iid}`;
  expect([await offers(visitor, path), await offers(own, path)]).toEqual([true, false]);
  const name = uniqueName('personal');
  const project = await user.client.Projects.create({ name, path: name });
  await user.client.ProjectMilestones.create(project.id, 'Personal');
  expect(await offers(own, `/${project.path_with_namespace}/-/milestones/1`)).toBe(false);
});
