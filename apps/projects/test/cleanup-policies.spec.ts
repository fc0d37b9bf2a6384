import { createProject, dueCleanupPolicies, getProject, passCleanupPolicy, updateProject } from '@moothall/contracts';
import { Projects } from '../src/project/project.repository';
import { type ProjectsUnderTest, refusal, startProjects } from './projects-under-test';

const dayMs = 24 * 3_600_000;

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

async function newProject(attributes: object) {
  const owner = await projects.user();
  const created = await projects.ask(owner, createProject, {
    name: 'images',
    container_expiration_policy_attributes: attributes,
  });
  const id = String(created.id);
  const set = (given: object) =>
    projects.ask(owner, updateProject, { id, container_expiration_policy_attributes: given });
  const policy = async () => (await projects.ask(owner, getProject, { id })).container_expiration_policy!;
  return { owner, number: created.id, id, set, policy };
}

const daysUntil = (time: string | null) => Math.round((Date.parse(time!) - Date.now()) / dayMs);
const due = async () =>
  (await projects.client.call(dueCleanupPolicies, { limit: 1000 })).map((turn) => turn.project_id);

it('of a project is due one cadence after it was set, and never while it is disabled', async () => {
  const { set, policy } = await newProject({ enabled: true, cadence: '7d' });
  expect(daysUntil((await policy()).next_run_at)).toBe(7);
  await set({ cadence: '3month' });
  expect(daysUntil((await policy()).next_run_at)).toBe(90);
  await set({ enabled: false });
  expect(await policy()).toMatchObject({ enabled: false, cadence: '3month', next_run_at: null });
  expect((await (await newProject({ cadence: '1d' })).policy()).next_run_at).toBeNull();
});

it('runs at the time that the last of two concurrent changes sets', async () => {
  const { set, policy } = await newProject({ enabled: false, cadence: '7d' });
  for (let round = 0; round < 20; round++) {
    const cadence = round % 2 ? '7d' : '3month';
    await Promise.all([set({ enabled: round % 2 === 0 }), set({ cadence })]);
    const { enabled, next_run_at } = await policy();
    expect(enabled).toBe(round % 2 === 0);
    expect(next_run_at === null ? null : daysUntil(next_run_at)).toBe(enabled ? 90 : null);
  }
});

it('has its turn when it is due, and the next one after another cadence', async () => {
  const { number, policy } = await newProject({
    enabled: true,
    cadence: '14d',
    name_regex_delete: 'v.*',
    keep_n: null,
  });
  expect(await due()).not.toContain(number);
  const { model } = projects.running.app.get(Projects, { strict: false });
  const before = await model.findById(number).lean();
  const runAt = new Date(Date.now() - 1000);
  await model.updateOne({ _id: number }, { $set: { cleanupAt: runAt } }, { timestamps: false });
  const turns = await projects.client.call(dueCleanupPolicies, { limit: 1000 });
  expect(turns.find(({ project_id }) => project_id === number)).toEqual({
    project_id: number,
    run_at: runAt.toISOString(),
    policy: {
      cadence: '14d',
      enabled: true,
      keep_n: null,
      older_than: '90d',
      name_regex: 'v.*',
      name_regex_keep: null,
    },
  });
  // A turn with another due time has no effect.
  const pass = (at: Date) => projects.client.call(passCleanupPolicy, { project_id: number, run_at: at.toISOString() });
  await pass(new Date(runAt.getTime() - dayMs));
  expect(await due()).toContain(number);
  await Promise.all([pass(runAt), pass(runAt)]);
  expect(await due()).not.toContain(number);
  expect(daysUntil((await policy()).next_run_at)).toBe(14);
  // The project's `updated_at` has not changed.
  expect((await model.findById(number).lean())!.updatedAt).toEqual(before!.updatedAt);
});

it('with an invalid pattern is refused', async () => {
  const { set, policy } = await newProject({ name_regex: 'a' });
  const { message } = await refusal(set({ name_regex_delete: '[a' }));
  expect(message).toEqual({
    'container_expiration_policy.name_regex': [expect.stringMatching(/^not valid RE2 syntax: /)],
  });
  const { message: kept } = await refusal(set({ name_regex_keep: '(?=a)' }));
  expect(Object.keys(kept as object)).toEqual(['container_expiration_policy.name_regex_keep']);
  for (const name_regex of ['((a{10}){10}){10}'.repeat(6), '.{0,1000}'.repeat(28)]) {
    expect(JSON.stringify(await refusal(set({ name_regex })))).toContain('repeats too much');
  }
  expect(await policy()).toMatchObject({ name_regex: 'a', name_regex_keep: null });
});
