import { createSchedule, getSchedule, listSchedulePipelines, pipelineChanged } from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const daily = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };

describe('a due schedule', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scheduled = async (over = {}, file?: string | null) => {
    const project = ci.neighbours.project({}, file);
    const owner = ci.neighbours.user('owner');
    const context = ci.neighbours.as(owner, project);
    const schedule = await ci.call(createSchedule, { ...daily, ...over }, context);
    return { project, owner, context, schedule };
  };

  it('makes one pipeline and moves on to the next time', async () => {
    const { context, schedule } = await scheduled();
    const dueAt = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
    await ci.makeDue(schedule.id, dueAt);
    const after = await eventually(async () => {
      const seen = await ci.call(getSchedule, { id: '1', pipeline_schedule_id: schedule.id }, context);
      return seen.last_pipeline && seen.next_run_at! > new Date().toISOString() ? seen : undefined;
    });
    expect(after.next_run_at).toBe(schedule.next_run_at);
    const { items } = await ci.call(listSchedulePipelines, { id: '1', pipeline_schedule_id: schedule.id }, context);
    expect(items).toMatchObject([{ source: 'schedule', ref: 'main', status: 'pending', sha: 'a'.repeat(40) }]);
    expect(ci.under.events(pipelineChanged).filter(({ data }) => data.pipeline_id === items[0]!.id)).toHaveLength(1);
  });
});
