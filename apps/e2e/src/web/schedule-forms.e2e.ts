import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Pipeline schedules: the list, and forms that create, change, run and delete them. */

const evil = '"><script>alert(1)</script>';
const visitor = new PageVisitor();
let developer: Awaited<ReturnType<typeof newUser>>;
let id: number;
let base: string;

beforeAll(async () => {
  developer = await newUser('developer');
  await visitor.signIn(developer.username, developer.password);
  const path = uniqueName('schedules');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  [id, base] = [project.id, `/${project.path_with_namespace}/-/pipeline_schedules`];
  await root.ProjectMembers.add(id, 30, { userId: developer.id });
  const content = JSON.stringify({ test: { script: ['true'] } });
  await root.Commits.create(id, 'main', 'Add jobs', [{ action: 'create', filePath: '.gitlab-ci.yml', content }]);
  await root.Branches.create(id, 'topic', 'main');
});

const schedules = () => developer.client.PipelineSchedules;
const create = (description: string, client = developer.client) =>
  client.PipelineSchedules.create(id, description, 'topic', '0 4 * * *');
const editOf = (schedule: { id: number }) => `${base}/${schedule.id}/edit`;
const textOf = async (path: string) => (await visitor.load(path)).text();

it('a schedule is created, and shown with its next run', async () => {
  const page = await visitor.load(`${base}/new`);
  const fields = { description: `Nightly ${evil}`, ref: 'topic', cron: '30 4 * * *', cron_timezone: 'Europe/Berlin' };
  const made = await visitor.change(page, fields, 'new-schedule');
  const text = await made.text();
  expect([made.status, new URL(made.url).pathname, text.includes('<script')]).toEqual([200, base, false]);
  expect(text).toMatch(/<code>30 4 \* \* \*<\/code> Europe\/Berlin, next run <time/);
  const [schedule] = (await schedules().all(id)).filter(({ cron }) => cron === '30 4 * * *');
  expect(schedule).toMatchObject({ ...fields, active: true, owner: { username: developer.username } });
});

it.each([
  [{ description: ' ' }, "Description can't be blank."],
  [{ cron: 'sometimes' }, 'When is invalid syntax.'],
  [{ cron_timezone: 'Mars/Olympus' }, 'Time zone is invalid syntax.'],
  [{ ref: ' ' }, 'Branch or tag is empty.'],
])('a schedule with %j is refused, and shown as it was typed', async (wrong, problem) => {
  const fields = { description: 'Typed', ref: 'topic', cron: '0 4 * * *', ...wrong };
  const refused = await visitor.change(await visitor.load(`${base}/new`), fields, 'new-schedule');
  const text = await refused.text();
  expect([refused.status, text]).toEqual([422, expect.stringContaining(problem)]);
  for (const value of Object.values(fields)) expect(text).toContain(`value="${value}"`);
});

it('a schedule is changed, and not overwritten by a form that was opened before', async () => {
  const schedule = await create('Weekly');
  const [one, two] = [await visitor.load(editOf(schedule)), await visitor.load(editOf(schedule))];
  await visitor.change(one, { cron: '0 5 * * *', active: '' }, 'schedule');
  expect(await schedules().show(id, schedule.id)).toMatchObject({ cron: '0 5 * * *', active: false });
  expect(await textOf(base)).toContain('inactive');
  await visitor.change(two.clone(), { description: 'Monthly' }, 'schedule');
  expect(await schedules().show(id, schedule.id)).toMatchObject({ description: 'Monthly', cron: '0 5 * * *' });
  const refused = await visitor.change(two, { cron: '0 6 * * *' }, 'schedule');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('meanwhile')]);
});

it('a schedule runs now', async () => {
  const schedule = await create('Now');
  const before = (await root.Pipelines.all(id, { ref: 'topic' })).length;
  const page = await visitor.load(base);
  expect(await page.clone().text()).toContain('>Run Now</button>');
  const ran = await visitor.submit(page, {}, 'play', schedule.id);
  expect([ran.status, new URL(ran.url).pathname.endsWith('/-/pipelines')]).toEqual([200, true]);
  const after = await root.Pipelines.all(id, { ref: 'topic' });
  expect([after.length - before, after[0]]).toEqual([1, expect.objectContaining({ source: 'schedule' })]);
});

it('variables of a schedule are added and deleted', async () => {
  const schedule = await create('With variables');
  const added = await visitor.change(
    await visitor.load(editOf(schedule)),
    { key: 'SECRET', value: 'line 1\r\nline 2', variable_type: 'file' },
    'new-variable',
  );
  const variables = async () => (await schedules().show(id, schedule.id)).variables;
  expect(await variables()).toMatchObject([{ key: 'SECRET', value: 'line 1\nline 2', variable_type: 'file' }]);
  expect(await added.clone().text()).not.toContain('line 1');
  const refused = await visitor.change(added.clone(), { key: 'SECRET', value: 'x' }, 'new-variable');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Key has already been taken.')]);
  await visitor.submit(added, {}, 'delete-variable');
  expect(await variables()).toEqual([]);
});

it('a schedule is deleted at a second step', async () => {
  const schedule = await create('Gone');
  await visitor.submit(await visitor.load(editOf(schedule)), {}, 'delete');
  await expect(schedules().show(id, schedule.id)).rejects.toThrow();
  expect((await visitor.load(editOf(schedule))).status).toBe(404);
});

it('maintainers take over the schedule of somebody else', async () => {
  const schedule = await create('Taken', root);
  expect((await visitor.load(editOf(schedule))).status).toBe(404);
  const maintainer = await newUser('maintainer');
  await root.ProjectMembers.add(id, 40, { userId: maintainer.id });
  const own = new PageVisitor();
  await own.signIn(maintainer.username, maintainer.password);
  expect((await own.load(editOf(schedule))).status).toBe(200);
  const text = await (await own.load(base)).text();
  expect(text).toContain('>Take ownership of Taken</button>');
  await own.submit(await own.load(base), {}, 'take', schedule.id);
  expect(await schedules().show(id, schedule.id)).toMatchObject({ owner: { username: maintainer.username } });
  expect(await (await visitor.load(base)).text()).not.toContain('Take ownership');
});

it.each(['0/edit', 'x/edit', '999999/edit'])('%s is not found', async (below) => {
  expect((await visitor.load(`${base}/${below}`)).status).toBe(404);
});
