import {
  Access,
  commonErrors,
  createSchedule,
  createScheduleVariable,
  deleteSchedule,
  deleteScheduleVariable,
  exportSchedules,
  getSchedule,
  importSchedules,
  listSchedules,
  listScheduleVariables,
  playSchedule,
  scheduleErrors,
  takeScheduleOwnership,
  updateSchedule,
  updateScheduleVariable,
} from '@moothall/contracts';
import { CiUnderTest } from './ci-under-test';

const nightly = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };

describe('pipeline schedules', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start({ ROLES: 'api' });
  });
  afterAll(() => ci?.stop());

  /** A schedule of a developer, and other users who try to use it. */
  const scene = async (over = {}) => {
    const project = ci.stubs.project({ publicBuilds: false });
    const as = (name: string, level: 0 | 10 | 20 | 30 | 40) => ci.stubs.as(ci.stubs.user(name), project, level);
    const owner = as('owner', Access.Developer);
    const schedule = await ci.call(createSchedule, { ...nightly, ...over }, owner);
    return { project, as, owner, schedule, target: { id: '1', pipeline_schedule_id: schedule.id } };
  };

  it('are created active, with the next run in their zone', async () => {
    const { schedule, owner } = await scene({ cron_timezone: 'Pacific Time (US & Canada)' });
    expect(schedule).toMatchObject({
      active: true,
      cron_timezone: 'Pacific Time (US & Canada)',
      last_pipeline: null,
      variables: [],
      owner: { id: owner.caller!.id, username: 'owner' },
    });
    const hour = new Date(schedule.next_run_at!).toLocaleString('en', {
      timeZone: 'America/Los_Angeles',
      hour: 'numeric',
    });
    expect(hour).toBe('1 AM');
    expect(Date.parse(schedule.next_run_at!)).toBeGreaterThan(Date.parse(schedule.created_at));
  });

  // Regression: an update wrote back old values of fields that were not given.
  it('store both of two concurrent changes, and run by both', async () => {
    const { owner, target } = await scene();
    for (let time = 0; time < 20; time++) {
      await ci.call(updateSchedule, { ...target, active: true, description: 'nightly', cron_timezone: 'UTC' }, owner);
      const cron = `0 ${time} * * *`;
      await Promise.all(
        [{ active: false }, { cron }, { cron_timezone: 'Tokyo' }, { description: 'changed' }].map((change) =>
          ci.call(updateSchedule, { ...target, ...change }, owner),
        ),
      );
      const after = await ci.call(getSchedule, target, owner);
      expect(after).toMatchObject({ active: false, cron, cron_timezone: 'Tokyo', description: 'changed' });
      expect(new Date(after.next_run_at!).getUTCHours()).toBe((time + 24 - 9) % 24);
    }
  });

  it.each([
    [{ cron: 'every day' }, { cron: [' is invalid syntax'] }],
    [{ cron: '0 0 30 2 *' }, { cron: [' is invalid syntax'] }],
    [{ cron_timezone: 'Nowhere' }, { cron_timezone: [' is invalid syntax'] }],
    [{ description: ' ' }, { description: ["can't be blank"] }],
  ])('are refused with %j', async (over, message) => {
    await expect(scene(over)).rejects.toMatchObject({ value: { code: commonErrors.invalidRecord.code, message } });
  });

  it('are listed by id, active or not, without variables and last pipeline', async () => {
    const { owner, schedule } = await scene();
    const inactive = await ci.call(createSchedule, { ...nightly, active: false }, owner);
    const list = async (scope?: 'active' | 'inactive') => {
      const { items, total } = await ci.call(listSchedules, { id: '1', scope }, owner);
      return [items.map(({ id }) => id), total];
    };
    expect(await list()).toEqual([[schedule.id, inactive.id], 2]);
    expect(await list('active')).toEqual([[schedule.id], 1]);
    expect(await list('inactive')).toEqual([[inactive.id], 1]);
    const { items } = await ci.call(listSchedules, { id: '1' }, owner);
    expect(items[0]).not.toHaveProperty('variables');
    expect(items[0]).not.toHaveProperty('last_pipeline');
  });

  it('are computed again by any change, and lose the reason for their deactivation when activated', async () => {
    const { owner, schedule, target } = await scene();
    await ci.schedules.updateOne(
      { _id: schedule.id },
      { $set: { nextRunAt: new Date(0), isActive: false, deactivationReason: 'The owner is blocked.' } },
    );
    const renamed = await ci.call(updateSchedule, { ...target, description: 'renamed' }, owner);
    expect(renamed).toMatchObject({ description: 'renamed', next_run_at: schedule.next_run_at, active: false });
    expect(renamed.deactivation_reason).toBe('The owner is blocked.');
    const active = await ci.call(updateSchedule, { ...target, active: true, cron: '@hourly' }, owner);
    expect(active).toMatchObject({ active: true, cron: '@hourly' });
    expect(active).not.toHaveProperty('deactivation_reason');
    expect(Date.parse(active.next_run_at!) - Date.parse(active.updated_at)).toBeLessThanOrEqual(3_600_000);
  });

  it('may be changed by their owner and by maintainers only', async () => {
    const { as, target } = await scene();
    const stranger = as('stranger', Access.Developer);
    for (const operation of [updateSchedule, takeScheduleOwnership, deleteSchedule, listScheduleVariables]) {
      await expect(ci.call(operation as typeof deleteSchedule, target, stranger)).rejects.toThrow('forbidden');
    }
    await expect(ci.call(createScheduleVariable, { ...target, key: 'A', value: '1' }, stranger)).rejects.toThrow(
      'forbidden',
    );
    const maintainer = as('maintainer', Access.Maintainer);
    const taken = await ci.call(takeScheduleOwnership, target, maintainer);
    expect(taken.owner).toMatchObject({ username: 'maintainer' });
    expect(await ci.call(deleteSchedule, target, maintainer)).toMatchObject({ id: target.pipeline_schedule_id });
    await expect(ci.call(getSchedule, target, maintainer)).rejects.toThrow(scheduleErrors.notFound.code);
  });

  // Regression: with a schedule, developers could run jobs that they may not push.
  it('are created and changed on a protected branch only by users who may push or merge there', async () => {
    const { project, as, owner, target } = await scene();
    ci.stubs.protect(project, 'stable');
    const on = { ...nightly, ref: 'stable' };
    await expect(ci.call(createSchedule, on, owner)).rejects.toThrow('forbidden');
    await expect(ci.call(updateSchedule, { ...target, ref: 'stable' }, owner)).rejects.toThrow('forbidden');
    const maintainer = as('maintainer', Access.Maintainer);
    const made = await ci.call(createSchedule, on, maintainer);
    await ci.schedules.updateOne({ _id: made.id }, { $set: { ownerId: owner.caller!.id } });
    const its = { id: '1', pipeline_schedule_id: made.id };
    for (const refused of [
      ci.call(updateSchedule, { ...its, ref: 'main' }, owner),
      ci.call(createScheduleVariable, { ...its, key: 'A', value: '1' }, owner),
      ci.call(playSchedule, its, owner),
    ]) {
      await expect(refused).rejects.toThrow('forbidden');
    }
    expect(await ci.call(playSchedule, its, maintainer)).toEqual({ message: '201 Created' });
  });

  it('are seen by developers, and by readers of the project while pipelines are public', async () => {
    const { as, project, target } = await scene();
    const guest = as('guest', Access.Guest);
    await expect(ci.call(listSchedules, { id: '1' }, guest)).rejects.toThrow('forbidden');
    await expect(ci.call(getSchedule, target, guest)).rejects.toThrow(scheduleErrors.notFound.code);
    const anonymous = ci.stubs.as(undefined, project, Access.None);
    await expect(ci.call(listSchedules, { id: '1' }, anonymous)).rejects.toThrow('unauthorized');
    const open = ci.stubs.as(undefined, { ...project, publicBuilds: true }, Access.None);
    expect((await ci.call(listSchedules, { id: '1' }, open)).items).toHaveLength(1);
    expect(await ci.call(getSchedule, target, open)).not.toHaveProperty('variables');
  });

  it('are not found through another project', async () => {
    const { target } = await scene();
    const other = await scene();
    await expect(ci.call(getSchedule, target, other.owner)).rejects.toThrow(scheduleErrors.notFound.code);
  });

  it('cannot be changed in an archived project', async () => {
    const { project, owner, target } = await scene();
    const archived = ci.stubs.as(owner.caller, { ...project, isArchived: true }, Access.Maintainer);
    await expect(ci.call(updateSchedule, target, archived)).rejects.toThrow('project.archived');
  });

  describe('variables', () => {
    it('are stored encrypted, and shown to users who may change the schedule', async () => {
      const { as, owner, target } = await scene();
      const variable = { key: 'TOKEN', value: 'a secret value', variable_type: 'file' as const };
      expect(await ci.call(createScheduleVariable, { ...target, ...variable }, owner)).toEqual(variable);
      expect((await ci.call(getSchedule, target, owner)).variables).toEqual([variable]);
      expect(await ci.call(getSchedule, target, as('stranger', Access.Developer))).not.toHaveProperty('variables');
      const stored = await ci.schedules.findById(target.pipeline_schedule_id).lean();
      expect(JSON.stringify(stored)).not.toContain('secret value');
    });

    // Regression: there could be any number in one document.
    it('are at most a thousand', async () => {
      const { owner, target } = await scene();
      const variables = Array.from({ length: 999 }, (_, n) => ({ key: `K${n}`, variable_type: 'env_var', value: '' }));
      await ci.schedules.collection.updateOne({ _id: target.pipeline_schedule_id as never }, { $set: { variables } });
      const add = (key: string) => ci.call(createScheduleVariable, { ...target, key, value: 'x' }, owner);
      await expect(add('K1')).rejects.toThrow(/has already been taken/);
      const outcomes = await Promise.allSettled([add('A'), add('B'), add('C')]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(add('D')).rejects.toThrow(/has too many variables/);
    });

    it('are changed and removed by key', async () => {
      const { owner, target } = await scene();
      await ci.call(createScheduleVariable, { ...target, key: 'A', value: '1', variable_type: 'file' }, owner);
      await ci.call(createScheduleVariable, { ...target, key: 'B', value: '2' }, owner);
      const changed = await ci.call(updateScheduleVariable, { ...target, key: 'A', value: '3' }, owner);
      expect(changed).toEqual({ key: 'A', value: '3', variable_type: 'file' });
      expect(await ci.call(deleteScheduleVariable, { ...target, key: 'A' }, owner)).toEqual(changed);
      const { items } = await ci.call(listScheduleVariables, target, owner);
      expect(items).toEqual([{ key: 'B', value: '2', variable_type: 'env_var' }]);
      for (const operation of [deleteScheduleVariable, updateScheduleVariable]) {
        const call = ci.call(operation as typeof updateScheduleVariable, { ...target, key: 'A', value: 'x' }, owner);
        await expect(call).rejects.toThrow(scheduleErrors.variableNotFound.code);
      }
    });

    it.each([
      ['', "can't be blank"],
      ['a-b', "can contain only letters, digits and '_'."],
      ['x'.repeat(256), 'is too long (maximum is 255 characters)'],
    ])('are refused under the key %s', async (key, message) => {
      const { owner, target } = await scene();
      const call = ci.call(createScheduleVariable, { ...target, key, value: '1' }, owner);
      await expect(call).rejects.toMatchObject({ value: { message: { key: [message] } } });
    });

    it('have unique keys, also if two are added concurrently', async () => {
      const { owner, target } = await scene();
      const add = () => ci.call(createScheduleVariable, { ...target, key: 'K'.repeat(255), value: '1' }, owner);
      const settled = await Promise.allSettled([add(), add(), add()]);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(add()).rejects.toMatchObject({ value: { message: { key: ['has already been taken'] } } });
    });
  });

  it('are found by indexes, for any number of them', async () => {
    const due = ci.schedules.find({ isActive: true, nextRunAt: { $lte: new Date() } }).sort({ nextRunAt: 1, _id: 1 });
    const page = ci.schedules.find({ projectId: 1 }).sort({ _id: 1 }).limit(20);
    for (const query of [due, page]) {
      // Of the winning plan only.
      const { queryPlanner } = (await query.explain('queryPlanner')) as unknown as {
        queryPlanner: { winningPlan: object };
      };
      const plan = JSON.stringify(queryPlanner.winningPlan);
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('COLLSCAN');
      expect(plan).not.toContain('"SORT"');
    }
  });

  describe('in archives', () => {
    const at = '2026-01-02T03:04:05.000Z';
    const archived = (id: number, over: object = {}) => ({
      ...{ id, description: `number ${id}`, ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC' },
      ...{ created_at: at, updated_at: at, ...over },
    });
    const read = async (project: ReturnType<CiUnderTest['stubs']['project']>) => {
      const context = { requestId: 'test', project };
      return (await ci.call(exportSchedules, {}, context)).schedules.map(({ id, ...schedule }) => schedule);
    };

    it('are imported once each, inactive, and owned by the importer', async () => {
      const { project, owner, target } = await scene({ cron_timezone: 'Tokyo' });
      await ci.call(createScheduleVariable, { ...target, key: 'SECRET', value: 'x' }, owner);
      const { schedules, next_after_id } = await ci.call(exportSchedules, {}, { requestId: 'test', project });
      expect(next_after_id).toBeNull();
      expect(JSON.stringify(schedules)).not.toContain('SECRET');
      const copy = ci.stubs.project();
      const importer = ci.stubs.user('importer');
      const input = { owner_id: importer.id, schedules: [{ ...schedules[0]!, id: 1 }, archived(2)] };
      const context = { requestId: 'test', project: copy };
      expect(await ci.call(importSchedules, input, context)).toEqual({ created: 2 });
      expect(await ci.call(importSchedules, input, context)).toEqual({ created: 0 });
      expect(await read(copy)).toEqual(input.schedules.map(({ id, ...schedule }) => schedule));
      const { items } = await ci.call(listSchedules, { id: '1' }, ci.stubs.as(importer, copy, Access.Maintainer));
      expect(items).toMatchObject([1, 2].map(() => ({ active: false, owner: { id: importer.id } })));
    });

    it('are read page by page', async () => {
      const project = ci.stubs.project();
      const schedules = Array.from({ length: 101 }, (_, at_) => archived(at_ + 1));
      const context = { requestId: 'test', project };
      await ci.call(importSchedules, { owner_id: ci.stubs.user('importer').id, schedules }, context);
      const first = await ci.call(exportSchedules, {}, context);
      const second = await ci.call(exportSchedules, { after_id: first.next_after_id! }, context);
      expect(second.next_after_id).toBeNull();
      expect([...first.schedules, ...second.schedules].map(({ description }) => description)).toEqual(
        schedules.map(({ description }) => description),
      );
    });

    it.each([
      ['that never runs', { cron: '0 0 30 2 *' }],
      ['in a zone that is none', { cron_timezone: 'Nowhere' }],
    ])('with one %s are refused', async (_what, over) => {
      const context = { requestId: 'test', project: ci.stubs.project() };
      const input = { owner_id: ci.stubs.user('importer').id, schedules: [archived(1, over)] };
      await expect(ci.call(importSchedules, input, context)).rejects.toMatchObject({ code: 'common.invalid_record' });
    });
  });
});
