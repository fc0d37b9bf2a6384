import {
  createPipeline,
  createSchedule,
  createScheduleVariable,
  deletePipeline,
  deleteSchedule,
  listPipelines,
  listSchedules,
  pipelineChanged,
  updateSchedule,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { plainFile } from './ci-stub-services';
import { CiUnderTest } from './ci-under-test';

meetFaults();

const ci = shareBetweenTests(() => CiUnderTest.start());

const byNumber = (a: number, b: number) => a - b;

// What the database, NATS or Redis failed at was told as done, or was half there.
it('pipelines and schedules are there once when that was said, and not when it was not', async () => {
  const project = ci.stubs.project({}, plainFile);
  const owner = ci.stubs.user('owner');
  const context = ci.stubs.as(owner, project);
  const { client } = ci.under;
  const made = await throughFaults(client, createPipeline, () =>
    ci.call(createPipeline, { id: '1', ref: 'main' }, context),
  );
  const listed = async () => {
    const { items } = await ci.call(listPipelines, { id: '1', per_page: 100 }, context);
    return items.map(({ id }) => id).sort(byNumber);
  };
  expect(await listed()).toEqual(made.map(({ id }) => id).sort(byNumber));
  expect(new Set(made.map(({ iid }) => iid)).size).toBe(made.length);
  const told = (id: number) => ci.under.events(pipelineChanged).some(({ data }) => data.pipeline_id === id);
  await eventually(() => made.every(({ id }) => told(id)), 'the events');

  const daily = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };
  const schedules = await throughFaults(client, createSchedule, () => ci.call(createSchedule, daily, context));
  const scheduled = async () => {
    const { items } = await ci.call(listSchedules, { id: '1', per_page: 100 }, context);
    return items.map(({ id }) => id).sort(byNumber);
  };
  expect(await scheduled()).toEqual(schedules.map(({ id }) => id).sort(byNumber));
  const [{ id: first }] = schedules as [(typeof schedules)[number]];
  const on = { id: '1', pipeline_schedule_id: first };
  await throughFaults(client, createScheduleVariable, (turn) =>
    ci.call(createScheduleVariable, { ...on, key: `KEY_${turn}`, value: 'x' }, context),
  );
  const changed = await throughFaults(client, updateSchedule, (turn) =>
    ci.call(updateSchedule, { ...on, description: `at night ${turn}` }, context),
  );
  expect(changed.at(-1)!.description).toBe(`at night ${changed.length - 1}`);

  const ended = await throughFaults(client, deleteSchedule, async () => {
    const { id } = schedules.pop() ?? (await ci.call(createSchedule, daily, context));
    await ci.call(deleteSchedule, { id: '1', pipeline_schedule_id: id }, context);
    return id;
  });
  expect((await scheduled()).filter((id) => ended.includes(id))).toEqual([]);
  const owning = { ...context, project: { ...project, accessLevel: 50 as const } };
  const gone = await throughFaults(client, deletePipeline, async () => {
    const { id } = made.pop() ?? (await ci.call(createPipeline, { id: '1', ref: 'main' }, context));
    await ci.call(deletePipeline, { id: '1', pipeline_id: id }, owning);
    return id;
  });
  await eventually(async () => (await listed()).every((id) => !gone.includes(id)), 'the end of pipelines');
}, 120_000);
