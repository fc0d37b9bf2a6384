import { newRunner, runOneJob } from '../ci/run-job';
import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of pipelines and jobs: why a pipeline failed. */

const evil = '"><script>alert(1)</script>';
const visitor = new PageVisitor();
let base: string;
let pipelineId: number;
let setPublicJobs: (isPublic: boolean) => Promise<unknown>;
const jobIds = new Map<string, number>();

beforeAll(async () => {
  const { client, token } = await newUser('builder');
  const project = await client.Projects.create({ path: uniqueName('built'), visibility: 'public' });
  base = `/${project.path_with_namespace}`;
  setPublicJobs = (publicBuilds) => client.Projects.edit(project.id, { publicBuilds });
  const script = (line: string) => ({ variables: { GIT_STRATEGY: 'none' }, script: [line] });
  const file = {
    stages: ['first', 'second'],
    wrong: {
      stage: 'first',
      ...script(`printf '\\033[31mred\\033[0m\\n10%%\\r99%%\\n%s\\n' '${evil}'; seq 1 40000; exit 3`),
    },
    later: { stage: 'second', ...script('true') },
  };
  await client.Commits.create(project.id, 'main', 'Add jobs', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify(file) },
  ]);
  const pipeline = await until('the pipeline', async () => (await client.Pipelines.all(project.id))[0]);
  pipelineId = pipeline.id;
  await runOneJob(await newRunner(project.id, token));
  for (const { id, name } of await client.Jobs.all(project.id)) jobIds.set(name, id);
});

const open = async (below: string) => {
  const response = await visitor.load(base + below);
  return { status: response.status, text: await response.text() };
};

it('the list of pipelines leads to a pipeline, and this to its jobs, by stage', async () => {
  const list = await open('/-/pipelines');
  expect(list.text).toContain(`href="${base}/-/pipelines/${pipelineId}"`);
  expect((await open('/-/pipelines?ref=none')).text).toContain('There are no pipelines.');
  const { text } = await open(`/-/pipelines/${pipelineId}`);
  expect(text).toMatch(/first.*wrong.*failed.*second.*later.*skipped/s);
  for (const id of jobIds.values()) expect(text).toContain(`href="${base}/-/jobs/${id}"`);
});

it('a job shows why it failed, and the end of its log', async () => {
  const { text } = await open(`/-/jobs/${jobIds.get('wrong')}`);
  for (const words of ['Failure: script failure', '\n40000\n', 'This is the end of the log.', 'Whole log'])
    expect(text).toContain(words);
  expect(text.length).toBeLessThan(1_000_000);
  const { text: later } = await open(`/-/jobs/${jobIds.get('later')}`);
  expect(later).toContain('There is no log.');
});

it('the whole log is sent as plain text', async () => {
  const response = await fetch(`${connection.url}${base}/-/jobs/${jobIds.get('wrong')}/raw`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const log = await response.text();
  expect(log).toContain(evil);
  expect(log).toMatch(/\n40000\r?\n/);
});

it.each([
  '/-/pipelines/0',
  '/-/pipelines/x',
  '/-/pipelines/999999999',
  '/-/jobs/999999999',
  '/-/jobs/x',
  '/-/jobs/0/raw',
])('%s is not found', async (below) => {
  expect((await open(below)).status).toBe(404);
});

it('pipelines for developers are hidden from others', async () => {
  const addresses = [
    ...['/-/pipelines', `/-/pipelines/${pipelineId}`],
    ...[`/-/jobs/${jobIds.get('wrong')}`, `/-/jobs/${jobIds.get('wrong')}/raw`],
  ];
  const statuses = () => Promise.all(addresses.map(async (below) => (await open(below)).status));
  await setPublicJobs(false);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  await setPublicJobs(true);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
});
