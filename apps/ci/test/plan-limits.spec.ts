import {
  Access,
  createInstanceVariable,
  createPipeline,
  createRunner,
  createSchedule,
  defaultPlanLimits,
  type PlanLimits,
  planLimitsChanged,
  readPlanLimits,
  registerRunner,
  resetProjectRegistrationToken,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start();
});
afterAll(() => ci?.stop());

/** Sets these plan limits, and no others. */
async function limit(limits: Partial<PlanLimits>): Promise<void> {
  ci.under.respond(readPlanLimits, () => ({ ...defaultPlanLimits, ...limits }));
  await ci.under.emit(planLimitsChanged, { names: Object.keys(limits) });
}

/** Repeats the call until it is refused, shortly after the limit was set. @returns the message */
const refusal = (ask: () => Promise<unknown>): Promise<string> =>
  eventually(() =>
    ask().then(
      () => undefined,
      (error: unknown) => String(error),
    ),
  );

function scene(file: object = {}) {
  const project = ci.stubs.project({}, JSON.stringify(file));
  return { project, as: ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer) };
}

const job = { script: 'x' };

describe('a plan limits', () => {
  it('jobs of a pipeline', async () => {
    await limit({ ci_pipeline_size: 2 });
    const { as } = scene({ one: job, two: job, three: job });
    expect(await refusal(() => ci.call(createPipeline, { id: '1', ref: 'main' }, as))).toMatch(/jobs/);
    const small = scene({ one: job, two: job });
    expect(await ci.call(createPipeline, { id: '1', ref: 'main' }, small.as)).toMatchObject({ ref: 'main' });
  });

  it('needs of a job, of which there may be none', async () => {
    await limit({ ci_needs_size_limit: 0 });
    const { as } = scene({ one: job, two: { ...job, needs: ['one'] } });
    expect(await refusal(() => ci.call(createPipeline, { id: '1', ref: 'main' }, as))).toMatch(/need/);
    await limit({});
    await eventually(() => ci.call(createPipeline, { id: '1', ref: 'main' }, as).catch(() => undefined));
  });

  it('schedules of a project', async () => {
    await limit({ ci_pipeline_schedules: 1 });
    const { as } = scene({ one: job });
    const create = () =>
      ci.call(createSchedule, { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' }, as);
    await create();
    expect(await refusal(create)).toContain('Maximum number of pipeline schedules (1) exceeded');
    await limit({});
    await eventually(() => create().catch(() => undefined));
  });

  it('runners of a project, created or registered', async () => {
    await limit({ ci_registered_project_runners: 1 });
    const { project, as } = scene();
    const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, as);
    await ci.call(registerRunner, { token }, contextOf({}));
    const exceeded = 'Maximum number of ci registered project runners (1) exceeded';
    expect(await refusal(() => ci.call(registerRunner, { token }, contextOf({})))).toContain(exceeded);
    const made = { runner_type: 'project_type' as const, project_id: project.id };
    expect(await refusal(() => ci.call(createRunner, made, as))).toContain(exceeded);
  });

  it('variables of the instance', async () => {
    const admin = contextOf({ caller: ci.stubs.user('root', { isAdmin: true }) });
    const keep = (key: string) => ci.call(createInstanceVariable, { key, value: 'x' }, admin);
    await limit({ ci_instance_level_variables: 1 });
    await keep('FIRST');
    let count = 0;
    expect(await refusal(() => keep(`KEY_${count++}`))).toContain('Maximum number of variables (1) exceeded');
  });
});
