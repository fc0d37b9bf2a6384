import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms that run, cancel and retry pipelines and jobs. */

const evil = '"><script>alert(1)</script>';
const visitor = new PageVisitor();
let developer: Awaited<ReturnType<typeof newUser>>;
let id: number;
let base: string;

beforeAll(async () => {
  developer = await newUser('developer');
  await visitor.signIn(developer.username, developer.password);
  const path = uniqueName('run');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  [id, base] = [project.id, `/${project.path_with_namespace}`];
  await root.ProjectMembers.add(id, 30, { userId: developer.id });
  const file = {
    workflow: { rules: [{ if: '$CI_PIPELINE_SOURCE == "web" || $CI_PIPELINE_SOURCE == "api"' }] },
    test: { script: ['true'] },
    deploy: { script: ['true'], when: 'manual' },
  };
  await root.Commits.create(id, 'main', 'Add jobs', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify(file) },
  ]);
  await root.Branches.create(id, 'topic', 'main');
});

const newPipeline = () => root.Pipelines.create(id, 'topic');
const pipelinePage = (pipeline: number) => visitor.load(`${base}/-/pipelines/${pipeline}`);
const jobOf = async (pipeline: number, name: string) =>
  (await root.Jobs.all(id, { pipelineId: pipeline })).find((job) => job.name === name)!;
const formsIn = (text: string) => [...text.matchAll(/name="form" value="([^"]*)"/g)].map(([, name]) => name);

it('a pipeline runs for the chosen branch, with variables', async () => {
  const page = await visitor.load(`${base}/-/pipelines/new?ref=topic`);
  expect(await page.clone().text()).toContain('name="ref" value="topic"');
  const made = await visitor.change(page, { variables: `COLOUR=red\r\nNAME=${evil}` }, 'new-pipeline');
  const number = Number(/\/-\/pipelines\/(\d+)$/.exec(new URL(made.url).pathname)![1]);
  expect([made.status, (await made.text()).includes('<script')]).toEqual([200, false]);
  expect(await root.Pipelines.show(id, number)).toMatchObject({ ref: 'topic', user: { username: developer.username } });
  expect(await root.Pipelines.allVariables(id, number)).toMatchObject([
    { key: 'COLOUR', value: 'red' },
    { key: 'NAME', value: evil },
  ]);
});

it.each([
  [{ ref: '' }, 'Branch or tag'],
  [{ ref: evil }, 'Reference not found'],
  [{ ref: 'main', variables: evil }, 'Variables must be lines such as KEY=value.'],
  [{ ref: 'main', variables: '1=2\n3=4' }, 'Variables'],
])('a pipeline with %j is refused', async (fields, problem) => {
  const page = await visitor.load(`${base}/-/pipelines/new`);
  const refused = await visitor.change(page, fields, 'new-pipeline');
  const text = await refused.text();
  expect([refused.status, text.includes('<script'), text]).toEqual([422, false, expect.stringContaining(problem)]);
});

it('a pipeline is cancelled, and its jobs run again', async () => {
  const pipeline = await newPipeline();
  const page = await pipelinePage(pipeline.id);
  expect(formsIn(await page.clone().text())).toEqual(['cancel']);
  const cancelled = await visitor.submit(page, {}, 'cancel');
  expect(await root.Pipelines.show(id, pipeline.id)).toMatchObject({ status: 'canceled' });
  expect(formsIn(await cancelled.clone().text())).toEqual(['retry']);
  await visitor.submit(cancelled, {}, 'retry');
  expect(await root.Pipelines.show(id, pipeline.id)).toMatchObject({ status: 'pending' });
});

it('a manual job runs, and a job is cancelled and runs again in another one', async () => {
  const pipeline = await newPipeline();
  const [test, deploy] = [await jobOf(pipeline.id, 'test'), await jobOf(pipeline.id, 'deploy')];
  const manual = await visitor.load(`${base}/-/jobs/${deploy.id}`);
  expect(formsIn(await manual.clone().text())).toEqual(['play']);
  await visitor.submit(manual, {}, 'play');
  expect(await root.Jobs.show(id, deploy.id)).toMatchObject({ status: 'pending' });
  const cancelled = await visitor.submit(await visitor.load(`${base}/-/jobs/${test.id}`), {}, 'cancel');
  expect(await root.Jobs.show(id, test.id)).toMatchObject({ status: 'canceled' });
  const next = await visitor.submit(cancelled, {}, 'retry');
  const again = await jobOf(pipeline.id, 'test');
  expect([again.id === test.id, new URL(next.url).pathname]).toEqual([false, `${base}/-/jobs/${again.id}`]);
});

it('a job that runs no more says so', async () => {
  const { id: pipeline } = await newPipeline();
  const { id: job } = await jobOf(pipeline, 'deploy');
  const page = await visitor.load(`${base}/-/jobs/${job}`);
  await root.Jobs.play(id, job);
  const refused = await visitor.submit(page, {}, 'play');
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('role="alert"')]);
});

it('reporters see no forms, and no page for a new pipeline', async () => {
  const pipeline = await newPipeline();
  const job = await jobOf(pipeline.id, 'test');
  const reporter = await newUser('reporter');
  await root.ProjectMembers.add(id, 20, { userId: reporter.id });
  const own = new PageVisitor();
  await own.signIn(reporter.username, reporter.password);
  for (const below of [`pipelines/${pipeline.id}`, `jobs/${job.id}`, 'pipelines', 'pipeline_schedules'])
    expect([below, formsIn(await (await own.load(`${base}/-/${below}`)).text())]).toEqual([below, []]);
  for (const below of ['pipelines/new', 'pipeline_schedules/new'])
    expect([below, (await own.load(`${base}/-/${below}`)).status]).toEqual([below, 404]);
});

it('a merge request shows its pipelines', async () => {
  await root.RepositoryFiles.create(id, 'a.txt', 'topic', 'one\n', 'add a.txt');
  const request = await root.MergeRequests.create(id, 'topic', 'main', 'A change');
  const { id: pipeline } = await newPipeline();
  const at = `${base}/-/merge_requests/${request.iid}`;
  await until('the pipeline of the merge request', async () =>
    (await (await visitor.load(`${at}/pipelines`)).text()).includes(`href="${base}/-/pipelines/${pipeline}"`),
  );
  expect(await (await visitor.load(at)).text()).toContain(`href="${at}/pipelines"`);
});
