import path from 'node:path';
import {
  Access,
  createInstanceVariable,
  createPipeline,
  createSchedule,
  defaultPlanLimits,
  listPipelineJobs,
  listPipelines,
  readPlanLimits,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
} from '@moothall/contracts';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { contextOf, listAll, startTwoReplicas, type TwoReplicas, writeUnderLoad } from '@moothall/testing';
import { CiStubServices } from './ci-stub-services';

const most = 3;
const limits = {
  ...{ ci_instance_level_variables: most, ci_pipeline_schedules: most, ci_registered_project_runners: most },
};
const folder = temporaryFolder('ci');
let two: TwoReplicas;
let stubs: CiStubServices;
beforeAll(async () => {
  two = await startTwoReplicas(
    path.resolve(__dirname, '..'),
    { CI_YAML_TIMEOUT: '60', OBJECT_STORAGE_DIR: folder },
    ({ respond }) => {
      stubs = new CiStubServices(respond);
      respond(readPlanLimits, () => ({ ...defaultPlanLimits, ...limits }));
    },
  );
}, 120_000);
afterAll(async () => {
  await two?.stop();
  await removeTemporaryFolder(folder);
});

const nobody = contextOf({});

it('pipelines exist once, and jobs are assigned once, if one of two replicas is killed under load', async () => {
  const { client, replicas } = two;
  const project = stubs.project();
  const maintainer = stubs.as(stubs.user('maintainer'), project, Access.Maintainer);
  const registration = await client.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
  const runner = await client.call(registerRunner, { token: registration.token }, nobody);
  const pipelines: number[] = [];
  const given: number[] = [];
  const write = async (number: number) => {
    if (number % 2 === 0) {
      pipelines.push((await client.call(createPipeline, { id: '1', ref: 'main' }, maintainer)).id);
    } else {
      const job = await client.call(requestJob, { token: runner.token }, nobody);
      if (job) given.push(job.id);
    }
  };
  const { unknown } = await writeUnderLoad({ write, interrupt: () => replicas[0].kill(), each: 30 });

  const stored = await listAll((page) => client.call(listPipelines, { id: '1', ...page }, maintainer));
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(pipelines));
  expect(stored.length).toBeLessThanOrEqual(pipelines.length + unknown.length);
  expect(new Set(stored.map(({ iid }) => iid)).size).toBe(stored.length);
  expect(new Set(given).size).toBe(given.length);
  // All are complete: each has its job, and each job belongs to one pipeline.
  const jobs: number[] = [];
  for (const { id } of stored) {
    const found = await client.call(listPipelineJobs, { id: '1', pipeline_id: id }, maintainer);
    expect(found.items).toHaveLength(1);
    jobs.push(...found.items.map((job) => job.id));
  }
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(jobs).toEqual(expect.arrayContaining(given));
}, 120_000);

it('plan limits hold exactly under concurrent requests', async () => {
  const { client } = two;
  const project = stubs.project();
  const maintainer = stubs.as(stubs.user('limited'), project, Access.Maintainer);
  const administrator = contextOf({ caller: stubs.user('root', { isAdmin: true }) });
  const { token } = await client.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
  const schedule = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };
  const additions: ((at: number) => Promise<unknown>)[] = [
    () => client.call(registerRunner, { token }, nobody),
    () => client.call(createSchedule, schedule, maintainer),
    (at) => client.call(createInstanceVariable, { key: `KEY_${at}`, value: 'x' }, administrator),
  ];
  for (const add of additions) {
    let added = 0;
    const attempt = (at: number) =>
      add(at).then(
        () => {
          added += 1;
          return true;
        },
        (error: unknown) => {
          expect(String(error)).toContain(`(${most}) exceeded`);
          return false;
        },
      );
    await Promise.all(Array.from({ length: 12 }, (_, at) => attempt(at)));
    expect(added).toBeLessThanOrEqual(most);
    // Concurrent requests for the last free place may all be refused.
    for (let at = 100; await attempt(at); at++) expect(added).toBeLessThanOrEqual(most);
    expect(added).toBe(most);
  }
}, 120_000);
