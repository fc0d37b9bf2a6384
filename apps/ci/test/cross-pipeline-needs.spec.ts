import {
  Access,
  artifactErrors,
  createPipeline,
  downloadJobArtifact,
  getPipeline,
  listJobs,
  listPipelineBridges,
  listPipelineJobs,
  type ProjectRef,
  registerRunner,
  reportJob,
  requestJob,
  resetProjectRegistrationToken,
  uploadJobArtifact,
} from '@moothall/contracts';
import { contextOf, eventually, uniqueId } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';
import { zipOf } from './zip';

const nobody = contextOf({});
const yaml = (file: object) => JSON.stringify(file);
const zipWith = (name: string, text: string) => zipOf([{ name, content: Buffer.from(text) }]);
const making = { stage: 'build', script: 'make', artifacts: { paths: ['out/'] } };

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start();
});
afterAll(() => ci?.stop());

type Caller = ReturnType<CiUnderTest['stubs']['user']>;

/** A project with a runner, and a user's pipeline of its file. */
async function scene(file: object, over: Partial<ProjectRef> = {}, user: Caller = ci.stubs.user('maintainer')) {
  const project = ci.stubs.project(over, yaml(file));
  const as = ci.stubs.as(user, project, Access.Maintainer);
  const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, as);
  const runner = await ci.call(registerRunner, { token }, nobody);
  const next = () => ci.call(requestJob, { token: runner.token }, nobody);
  const { id: pipeline_id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
  const failures = async () =>
    (await ci.call(listJobs, { id: '1', scope: ['failed'] }, as)).items.map((job) => [job.name, job.failure_reason]);
  return { user, project, as, next, pipeline_id, failures };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Runs the next job, with an archive as artifacts. */
async function make({ next }: Scene, archive: Buffer) {
  const job = (await next())!;
  const file = ci.uploads.add(archive, 'artifacts.zip');
  await ci.call(uploadJobArtifact, { id: job.id, token: job.token, file }, nobody);
  await ci.call(reportJob, { id: job.id, token: job.token, state: 'success' }, nobody);
  return job;
}

const fetched = async ({ id, token }: { id: number; token: string }) =>
  Buffer.from(await (await fetch((await ci.call(downloadJobArtifact, { id, token }, nobody)).url)).arrayBuffer());

describe('trigger:include:artifact', () => {
  const file = {
    make: making,
    down: { stage: 'test', trigger: { include: [{ artifact: 'out/$NAME.yml', job: 'make' }] } },
    variables: { NAME: 'child' },
  };
  const downstreamOf = ({ as, pipeline_id }: Scene) =>
    eventually(async () => {
      const { items } = await ci.call(listPipelineBridges, { id: '1', pipeline_id }, as);
      return items.find(({ downstream_pipeline }) => downstream_pipeline);
    }, 'a pipeline');

  it('creates a child pipeline from a file that a job has created', async () => {
    const s = await scene(file);
    await make(s, zipWith('out/child.yml', yaml({ include: 'more.yml', built: { script: 'x' } })));
    ci.stubs.addFile(s.project, 'more.yml', yaml({ more: { script: 'y' } }));
    const child = (await downstreamOf(s)).downstream_pipeline!.id;
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: child }, s.as);
    expect(items.map(({ name }) => name).sort()).toEqual(['built', 'more']);
  });

  it.each<[string, Buffer, string]>([
    ['that is not there', zipWith('other.yml', ''), 'Artifact `out/child.yml` of job `make` does not exist!'],
    ['of a damaged archive', Buffer.from('no archive'), 'Artifact `out/child.yml` of job `make` does not exist!'],
    ['that is too big', zipWith('out/child.yml', '#'.repeat(3 * 1024 ** 2)), 'of job `make` is too big'],
    ['that is no pipeline file', zipWith('out/child.yml', '- a'), 'Invalid configuration format'],
  ])('fails for a file %s, with a message', async (_what, archive, problem) => {
    const s = await scene(file);
    await make(s, archive);
    const bridge = await downstreamOf(s);
    expect(bridge).toMatchObject({ status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' });
    const child = { id: '1', pipeline_id: bridge.downstream_pipeline!.id };
    expect((await ci.call(getPipeline, child, s.as)).yaml_errors).toContain(problem);
  });

  it('fails for a job without artifacts', async () => {
    const s = await scene({ down: { trigger: { include: [{ artifact: 'a.yml', job: 'nothing' }] } } });
    const child = { id: '1', pipeline_id: (await downstreamOf(s)).downstream_pipeline!.id };
    expect((await ci.call(getPipeline, child, s.as)).yaml_errors).toBe(
      'Job `nothing` not found in parent pipeline or does not have artifacts!',
    );
  });

  it('is the only place where artifacts are included', async () => {
    const s = await scene({ job: { script: 'x' } });
    ci.stubs.setFile(s.project, yaml({ include: [{ artifact: 'a.yml', job: 'job' }], job: { script: 'x' } }));
    await expect(ci.call(createPipeline, { id: '1', ref: 'main' }, s.as)).rejects.toMatchObject({
      value: { message: { base: [expect.stringContaining('Artifacts can be included by `trigger:include`')] } },
    });
  });
});

describe('needs:pipeline', () => {
  const childOf = (pipeline: string) => yaml({ use: { script: 'x', needs: [{ pipeline, job: 'make' }] } });
  const parent = {
    make: making,
    down: { stage: 'test', trigger: { include: 'child.yml' }, variables: { PARENT: '$CI_PIPELINE_ID' } },
  };

  it('hands over artifacts of the parent pipeline', async () => {
    const s = await scene(parent);
    ci.stubs.addFile(s.project, 'child.yml', childOf('$PARENT'));
    const archive = zipWith('out/a', 'made');
    const made = await make(s, archive);
    const use = await eventually(async () => (await s.next()) ?? undefined, 'the job of the child');
    expect(use.job_info.name).toBe('use');
    expect(use.dependencies).toEqual([
      {
        ...{ id: made.id, name: 'make', token: use.token },
        artifacts_file: { filename: 'artifacts.zip', size: archive.length },
      },
    ]);
    expect(await fetched({ id: made.id, token: use.token })).toEqual(archive);
  });

  it.each([['of another hierarchy'], ['of another project'], ['that is not there'], ['without a number']])(
    'fails for a pipeline %s',
    async (what) => {
      const [s, other] = [await scene({ make: making }), await scene({ make: making })];
      for (const one of [s, other]) await make(one, zipWith('out/a', 'made'));
      const ids: Record<string, string> = {
        ...{ 'of another hierarchy': String(s.pipeline_id), 'of another project': String(other.pipeline_id) },
        ...{ 'that is not there': '999999', 'without a number': 'main' },
      };
      ci.stubs.setFile(s.project, childOf(ids[what]!));
      await ci.call(createPipeline, { id: '1', ref: 'main' }, s.as);
      expect(await s.next()).toBeNull();
      expect(await s.failures()).toEqual([['use', 'missing_dependency_failure']]);
    },
  );
});

describe('needs:project', () => {
  const archive = zipWith('out/a', 'made');
  /** A project with artifacts, and one with a job that needs them. */
  const twoProjects = async (of: { file?: object; level?: 0 | 30; opens?: boolean; hidesBuilds?: boolean }) => {
    const fullPath = `group/library-${uniqueId()}`;
    const library = await scene(of.file ?? { make: making }, { fullPath });
    const made = await make(library, archive);
    const { features } = library.project;
    if (of.hidesBuilds) ci.stubs.replace({ ...library.project, features: { ...features, builds: 'disabled' } });
    const user = ci.stubs.user('developer');
    ci.stubs.as(user, library.project, of.level ?? Access.Developer);
    const need = { project: '$LIBRARY', job: 'make', ref: 'main', artifacts: true };
    const app = { variables: { LIBRARY: fullPath }, use: { script: 'x', needs: [need] } };
    const s = await scene(app, {}, user);
    if (of.opens ?? true) ci.stubs.openToJobsOf(s.project, library.project);
    return { ...s, library, made };
  };

  it('hands over artifacts of the last pipeline of the ref in which the job has succeeded', async () => {
    const s = await twoProjects({ file: { make: making, after: { script: 'x' } } });
    // A later pipeline has not reached the job yet, and one of another ref does not count.
    await ci.call(createPipeline, { id: '1', ref: 'main' }, s.library.as);
    const use = (await s.next())!;
    expect(use.dependencies).toEqual([expect.objectContaining({ id: s.made.id, name: 'make', token: use.token })]);
    expect(await fetched({ id: s.made.id, token: use.token })).toEqual(archive);
  });

  it('gives no access to other resources of that project', async () => {
    const s = await twoProjects({
      file: { make: making, secret: { ...making, stage: 'test' } },
    });
    const secret = await make(s.library, archive);
    const use = (await s.next())!;
    await expect(fetched({ id: secret.id, token: use.token })).rejects.toMatchObject({
      value: { code: artifactErrors.notFound.code },
    });
  });

  it.each<[string, Parameters<typeof twoProjects>[0]]>([
    ['its user does not see', { level: Access.None }],
    ['is not open to jobs of this one', { opens: false }],
    ['shows its pipelines to nobody', { hidesBuilds: true }],
    [
      'lets nobody have its artifacts',
      { file: { make: { ...making, artifacts: { paths: ['out/'], access: 'none' } } } },
    ],
  ])('fails if the project %s', async (_what, of) => {
    const s = await twoProjects(of);
    expect(await s.next()).toBeNull();
    expect(await s.failures()).toEqual([['use', 'missing_dependency_failure']]);
  });
});
