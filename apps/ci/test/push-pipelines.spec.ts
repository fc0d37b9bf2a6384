import { randomUUID } from 'node:crypto';
import {
  Access,
  createPipeline,
  type EventInput,
  getPipeline,
  listPipelineJobs,
  listPipelines,
  listPipelineVariables,
  type ProjectRef,
  registerRunner,
  repositoryUpdated,
  requestJob,
  resetProjectRegistrationToken,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const none = '0'.repeat(40);
const shaOf = (digit: string): string => digit.repeat(40);
const settings = { configPath: null, cancelsRedundant: true, timeoutSeconds: 3600, gitDepth: 20 };

const eventOf = (data: EventInput<typeof repositoryUpdated>) => ({
  id: randomUUID(),
  name: repositoryUpdated.name,
  occurredAt: new Date().toISOString(),
  data,
});

describe('a push', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (file?: string | null, over: Partial<ProjectRef> = {}) => {
    const project = ci.stubs.project({ ci: settings, ...over }, file);
    const user = ci.stubs.user('pusher');
    const context = ci.stubs.as(user, project);
    const { id, username, name, email } = user;
    const update = (refs: Record<string, string>, more: Partial<EventInput<typeof repositoryUpdated>> = {}) => ({
      project_id: project.id,
      user: { id, username, name, email },
      changes: Object.entries(refs).map(([ref, after]) => ({ ref, before: shaOf('b'), after })),
      push_options: [],
      ...more,
    });
    const emit = (...what: Parameters<typeof update>) => ci.under.emit(repositoryUpdated, update(...what));
    /** Resolves when the push is handled. */
    const push = (...what: Parameters<typeof update>) => ci.hear(eventOf(update(...what)));
    const list = async () => (await ci.call(listPipelines, { id: '1' }, context)).items;
    const made = (count = 1) =>
      eventually(async () => {
        const items = await list();
        return items.length >= count ? items : undefined;
      }, `${count} pipelines`);
    const read = (pipeline_id: number) => ci.call(getPipeline, { id: '1', pipeline_id }, context);
    return { project, user, context, update, emit, push, made, read, list };
  };

  it('runs jobs by the files that it changes, of a new branch and a tag all', async () => {
    const s = await scene(`
sources: { script: x, rules: [{ changes: ["src/**/*"] }] }
docs: { script: x, rules: [{ changes: { paths: [docs/*] } }] }
older: { script: x, only: { changes: [src/a.ts] } }
compared: { script: x, rules: [{ changes: { paths: [docs/*], compare_to: $CI_DEFAULT_BRANCH } }] }`);
    ci.stubs.setChanged(s.project, ['src/a.ts']);
    const before = shaOf('b');
    await s.push({ 'refs/heads/main': shaOf('1') });
    const names = async (id: number) =>
      (await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, s.context)).items.map(({ name }) => name).sort();
    const [first] = await s.made();
    expect(await names(first!.id)).toEqual(['older', 'sources']);
    expect(ci.stubs.compared.slice(-2).sort()).toEqual([
      [before, false],
      ['main', true],
    ]);
    await s.push({}, { changes: [{ ref: 'refs/heads/new', before: none, after: shaOf('2') }] });
    const [second] = await s.made(2);
    expect(await names(second!.id)).toEqual(['docs', 'older', 'sources']);
    await s.push({ 'refs/tags/v1': shaOf('3') });
    const [third] = await s.made(3);
    expect(await names(third!.id)).toEqual(['docs', 'older', 'sources']);
  });

  it('has an error if there is nothing to compare with', async () => {
    const s = await scene('a: { script: x, rules: [{ changes: { paths: [a], compare_to: nowhere } }] }');
    await s.push({ 'refs/heads/main': shaOf('1') });
    const [made] = await s.made();
    expect((await s.read(made!.id)).yaml_errors).toContain('compare_to is not a valid ref');
  });

  it('of branches and tags makes a pipeline of each, at the commit that was pushed', async () => {
    const s = await scene();
    await s.emit({ 'refs/heads/main': shaOf('c'), 'refs/tags/v1': shaOf('d') });
    const [tag, branch] = await s.made(2);
    expect([tag, branch]).toMatchObject([
      { source: 'push', ref: 'v1', sha: shaOf('d'), status: 'pending' },
      { source: 'push', ref: 'main', sha: shaOf('c'), status: 'pending' },
    ]);
    expect(await s.read(branch!.id)).toMatchObject({
      before_sha: shaOf('b'),
      tag: false,
      user: { username: 'pusher' },
    });
    expect(await s.read(tag!.id)).toMatchObject({ tag: true });
  });

  it('of the default branch creates a pipeline before the project knows its default branch', async () => {
    const file = 'job: { script: x, rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }] }';
    const s = await scene(file, { defaultBranch: null });
    await s.push({ 'refs/heads/main': shaOf('c') });
    expect(await s.list()).toMatchObject([{ ref: 'main', status: 'pending' }]);
  });

  it('that arrives twice creates its pipelines once', async () => {
    const s = await scene();
    const event = eventOf(s.update({ 'refs/heads/main': shaOf('c'), 'refs/heads/other': shaOf('c') }));
    await Promise.all([ci.hear(event), ci.hear(event)]);
    expect(await s.list()).toHaveLength(2);
  });

  it.each([
    ['[ci skip]', []],
    ['Write docs\n\n[skip ci]', []],
    ['plain', ['ci.skip']],
  ])('with the message %j and options %j makes a skipped pipeline', async (message, push_options) => {
    const s = await scene();
    ci.stubs.setMessage(s.project, message);
    await s.push({ 'refs/heads/main': shaOf('c') }, { push_options });
    const [pipeline] = await s.made();
    expect(pipeline).toMatchObject({ status: 'skipped' });
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: pipeline!.id }, s.context);
    expect(items).toEqual([]);
  });

  it('hands variables of its options on, also to rules', async () => {
    const s = await scene('job: { script: x, rules: [{ if: $MODE == "full" }] }');
    await s.push({ 'refs/heads/main': shaOf('c') }, { push_options: ['ci.variable=MODE=full'] });
    const [pipeline] = await s.made();
    const variables = await ci.call(listPipelineVariables, { id: '1', pipeline_id: pipeline!.id }, s.context);
    expect(variables).toEqual([{ key: 'MODE', value: 'full', variable_type: 'env_var' }]);
  });

  it('of an invalid file creates a failed pipeline with the reason', async () => {
    const s = await scene('a: [');
    await s.push({ 'refs/heads/main': shaOf('c') });
    const [pipeline] = await s.made();
    expect(await s.read(pipeline!.id)).toMatchObject({
      status: 'failed',
      yaml_errors: expect.stringContaining('Flow'),
    });
  });

  it('reads the file from the configured path', async () => {
    const s = await scene(undefined, { ci: { ...settings, configPath: 'ci/main.yml' } });
    await s.push({ 'refs/heads/main': shaOf('c') });
    expect(await s.made()).toMatchObject([{ status: 'pending' }]);
  });

  it.each([
    ['without a file', null],
    ['without jobs for it', 'a: { script: x, only: [tags] }'],
    ['that its workflow forbids', 'workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "web" }] }\na: { script: x }'],
  ])('%s creates none', async (_what, file) => {
    const s = await scene(file);
    await s.push({ 'refs/heads/main': shaOf('c') });
    expect(await s.list()).toEqual([]);
  });

  it('that deletes, is from an older version or has no user creates none', async () => {
    const s = await scene();
    await s.push({ 'refs/heads/main': none });
    await s.push({ 'refs/heads/main': shaOf('c') }, { push_options: undefined });
    await s.push({ 'refs/heads/main': shaOf('c') }, { user: null });
    expect(await s.list()).toEqual([]);
  });

  it.each([
    ['builds are disabled', { features: { builds: 'disabled' } }],
    ['the project is archived', { isArchived: true }],
  ])('creates none while %s', async (_what, over) => {
    const s = await scene();
    const closed = {
      ...s.project,
      ...over,
      features: { ...s.project.features, ...('features' in over && over.features) },
    };
    ci.stubs.replace(closed as ProjectRef);
    await s.push({ 'refs/heads/main': shaOf('c') });
    expect(await s.list()).toEqual([]);
  });

  it('waits for a repository that does not answer', async () => {
    const s = await scene();
    ci.stubs.isRepositoryThere = false;
    const { asked } = ci.stubs;
    await s.emit({ 'refs/heads/main': shaOf('c') });
    await eventually(() => ci.stubs.asked > asked, 'the question to the repository');
    ci.stubs.isRepositoryThere = true;
    expect(await s.made()).toHaveLength(1);
  });

  describe('to a branch with an unfinished pipeline', () => {
    const file = (isInterruptible: boolean) =>
      `default: { interruptible: ${isInterruptible} }\na: { script: x }\nb: { script: x }`;
    const begin = async (isInterruptible: boolean, over: Partial<ProjectRef> = {}, workflow = '') => {
      const s = await scene(`${workflow}\n${file(isInterruptible)}`, over);
      const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), s.project, Access.Maintainer);
      const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
      const runner = await ci.call(registerRunner, { token }, contextOf({}));
      await s.push({ 'refs/heads/main': shaOf('c') });
      const [first] = await s.made();
      return { ...s, first: first!, take: () => ci.call(requestJob, { token: runner.token }, contextOf({})) };
    };
    const endOf = async ({ push, made, read, first }: Awaited<ReturnType<typeof begin>>) => {
      await push({ 'refs/heads/main': shaOf('d') });
      const [second] = await made(2);
      expect(second).toMatchObject({ sha: shaOf('d'), status: 'pending' });
      return () => read(first.id);
    };

    it.each([
      ['of which nothing has begun', false, false],
      ['of which what has begun is interruptible', true, true],
    ])('%s cancels that', async (_what, isInterruptible, hasBegun) => {
      const s = await begin(isInterruptible);
      if (hasBegun) await s.take();
      const first = await endOf(s);
      await eventually(async () => (await first()).status === 'canceled', 'the end of the first');
    });

    it('does not cancel running jobs that are not interruptible', async () => {
      const s = await begin(false);
      await s.take();
      const first = await endOf(s);
      expect(await first()).toMatchObject({ status: 'running' });
    });

    it('does not cancel a pipeline whose file has on_new_commit none', async () => {
      const s = await begin(true, {}, 'workflow: { auto_cancel: { on_new_commit: none } }');
      const first = await endOf(s);
      expect(await first()).toMatchObject({ status: 'pending' });
    });

    it('does not cancel the pipeline of the latest commit, whose push arrived first', async () => {
      const s = await begin(true);
      ci.stubs.setTip(s.project, s.first.sha);
      const first = await endOf(s);
      expect(await first()).toMatchObject({ status: 'pending' });
    });

    it('does not cancel the pipeline of a tag with the same name', async () => {
      const s = await begin(true);
      await s.push({ 'refs/tags/main': shaOf('d') });
      await s.made(2);
      expect(await s.read(s.first.id)).toMatchObject({ status: 'pending' });
    });

    it('does not cancel it if the project disables that', async () => {
      const s = await begin(true, { ci: { ...settings, cancelsRedundant: false } });
      const first = await endOf(s);
      expect(await first()).toMatchObject({ status: 'pending' });
    });

    it('and the first is not canceled if the second was skipped', async () => {
      const s = await begin(true);
      await ci.call(createPipeline, { id: '1', ref: 'other' }, s.context);
      ci.stubs.setMessage(s.project, '[skip ci]');
      await s.push({ 'refs/heads/main': shaOf('d') });
      const [second] = await s.made(3);
      expect(second).toMatchObject({ status: 'skipped' });
      expect(await s.read(s.first.id)).toMatchObject({ status: 'pending' });
    });
  });
});
