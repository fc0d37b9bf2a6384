import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  Access,
  artifactErrors,
  artifactSizes,
  authorizeJobArtifact,
  cancelJob,
  commonErrors,
  completeSecurityReports,
  countJobArtifacts,
  createPipeline,
  deleteArtifacts,
  deletePipeline,
  deleteProjectArtifacts,
  downloadJobArtifact,
  eraseJob,
  getArtifactFile,
  getJob,
  getJobArtifacts,
  getRefArtifactFile,
  getRefArtifacts,
  type InputOf,
  jobErrors,
  keepArtifacts,
  listArtifactFolder,
  listJobs,
  type PresignedUrl,
  type ProjectRef,
  projectDeleted,
  receiveSecurityReport,
  registerRunner,
  reportJob,
  reportLimit,
  requestJob,
  resetProjectRegistrationToken,
  runnerJobErrors,
  securityReportErrors,
  uploadJobArtifact,
} from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { ObjectStorage } from '@moothall/object-storage';
import { contextOf, eventually, ticketKey } from '@moothall/testing';
import { Artifacts } from '../src/artifact/artifact.repository';
import { CiUnderTest } from './ci-under-test';
import { zipOf } from './zip';

const file = `
stages: [build, test]
build:
  stage: build
  script: [make]
  artifacts:
    name: "$CI_JOB_NAME"
    paths: [out/]
    exclude: [out/*.o]
    expire_in: 1 week
    reports: { junit: junit.xml, sast: [gl-sast-report.json] }
  cache: { key: deps, paths: [deps/], policy: pull, fallback_keys: [old] }
docs: { stage: build, script: [make docs], artifacts: { paths: [docs/] } }
test: { stage: test, script: [make test], dependencies: [build] }
`;
const nobody = contextOf({});

const archive = zipOf([
  { name: 'out/', content: Buffer.alloc(0), isStored: true },
  { name: 'out/a b.txt', content: Buffer.from('hello '.repeat(10_000)) },
  { name: 'out/stored.bin', content: Buffer.from([0, 1, 2, 255]), isStored: true },
]);

describe('artifacts', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (over: Partial<ProjectRef> = {}, content = file) => {
    const project = ci.stubs.project(over, content);
    const developer = ci.stubs.as(ci.stubs.user('developer'), project);
    const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const registration = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
    const runner = await ci.call(registerRunner, { token: registration.token }, nobody);
    const next = async () => (await ci.call(requestJob, { token: runner.token }, nobody))!;
    const pipeline = await ci.call(createPipeline, { id: '1', ref: 'main' }, developer);
    return { project, developer, maintainer, next, pipeline };
  };
  type Taken = { id: number; token: string };
  const upload = (job: Taken, bytes = archive, given: object = {}) =>
    ci.call(
      uploadJobArtifact,
      { id: job.id, token: job.token, file: ci.uploads.add(bytes, 'artifacts.zip'), ...given },
      nobody,
    );
  const finish = ({ id, token }: Taken) => ci.call(reportJob, { id, token, state: 'success' }, nobody);
  const fetched = async ({ url }: PresignedUrl) => {
    const response = await fetch(url);
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  const filesOf = ({ id }: ProjectRef): string[] => {
    const folder = path.join(ci.folder, 'ci', 'artifacts', String(id));
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('are requested by runners, with caches, and with artifacts of earlier jobs', async () => {
    const s = await scene();
    const build = await s.next();
    expect(build.artifacts).toEqual([
      {
        name: '$CI_JOB_NAME',
        untracked: false,
        paths: ['out/'],
        exclude: ['out/*.o'],
        when: 'on_success',
        artifact_type: 'archive',
        artifact_format: 'zip',
        expire_in: '1 week',
      },
      expect.objectContaining({ name: 'junit.xml', artifact_type: 'junit', artifact_format: 'gzip', when: 'always' }),
      expect.objectContaining({ artifact_type: 'sast', artifact_format: 'raw', paths: ['gl-sast-report.json'] }),
    ]);
    expect(build.cache).toEqual([
      {
        key: 'deps-non_protected',
        untracked: false,
        policy: 'pull',
        paths: ['deps/'],
        when: 'on_success',
        fallback_keys: ['old-non_protected'],
      },
    ]);
    const docs = await s.next();
    for (const job of [build, docs]) {
      await upload(job, archive, { expire_in: '1 week' });
      await finish(job);
    }
    const test = await s.next();
    expect(test.dependencies).toEqual([
      {
        id: build.id,
        name: 'build',
        token: test.token,
        artifacts_file: { filename: 'artifacts.zip', size: archive.length },
      },
    ]);
    const ticket = await ci.call(downloadJobArtifact, { id: build.id, token: test.token }, nobody);
    expect((await fetched(ticket)).body.equals(archive)).toBe(true);
    // A token of an ended job, or of another project, is refused.
    for (const token of [build.token, (await (await scene()).next()).token]) {
      await expect(ci.call(downloadJobArtifact, { id: build.id, token }, nobody)).rejects.toMatchObject({
        value: { code: token === build.token ? runnerJobErrors.unknownToken.code : artifactErrors.notFound.code },
      });
    }
  });

  it('are shown with their job, and read whole, by branch, and file by file', async () => {
    const s = await scene();
    const [build, docs] = [await s.next(), await s.next()];
    await upload(build, archive, { expire_in: '1 week' });
    await upload(build, Buffer.from('<xml/>'), { artifact_type: 'junit', artifact_format: 'gzip' });
    const job = { id: '1', job_id: build.id };
    const shown = await ci.call(getJob, job, s.developer);
    expect(shown).toMatchObject({
      artifacts: [
        { file_type: 'archive', size: archive.length, filename: 'artifacts.zip', file_format: 'zip' },
        { file_type: 'junit', size: 6, file_format: 'gzip' },
      ],
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    });
    const days = (Date.parse(shown.artifacts_expire_at!) - Date.now()) / 86_400_000;
    expect([days > 6.9, days < 7.1]).toEqual([true, true]);
    const { items } = await ci.call(listJobs, { id: '1' }, s.developer);
    expect(items.find(({ id }) => id === build.id)?.artifacts).toHaveLength(2);

    const whole = await fetched(await ci.call(getJobArtifacts, job, s.developer));
    expect(whole.body.equals(archive)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('application/zip');
    const one = await fetched(await ci.call(getArtifactFile, { ...job, artifact_path: 'out/a b.txt' }, s.developer));
    expect(one.body.toString()).toBe('hello '.repeat(10_000));
    expect(one.headers.get('content-length')).toBe('60000');
    const stored = await ci.call(getArtifactFile, { ...job, artifact_path: 'out/stored.bin' }, s.developer);
    expect([...(await fetched(stored)).body]).toEqual([0, 1, 2, 255]);
    for (const artifact_path of ['out/', 'out', 'a b.txt', '/out/a b.txt', '../out/a b.txt', 'out/../out/a b.txt']) {
      const missing = await fetched(await ci.call(getArtifactFile, { ...job, artifact_path }, s.developer));
      expect([artifact_path, missing.status, missing.headers.get('moothall-refusal')]).toEqual([
        artifact_path,
        422,
        expect.stringContaining(artifactErrors.notFound.code),
      ]);
    }

    // Of a branch, once its pipeline has succeeded.
    const onMain = { id: '1', ref_name: 'main', job: 'build' };
    await expect(ci.call(getRefArtifacts, onMain, s.developer)).rejects.toMatchObject({
      value: { code: jobErrors.notFound.code },
    });
    await finish(build);
    await finish(docs);
    await finish(await s.next());
    expect((await fetched(await ci.call(getRefArtifacts, onMain, s.developer))).body.equals(archive)).toBe(true);
    const raw = await ci.call(getRefArtifactFile, { ...onMain, artifact_path: 'out/stored.bin' }, s.developer);
    expect((await fetched(raw)).body).toHaveLength(4);
    await expect(ci.call(getRefArtifacts, { ...onMain, job: 'docs' }, s.developer)).rejects.toMatchObject({
      value: { code: artifactErrors.notFound.code },
    });
    // The newest successful pipeline counts, even if it has no such job.
    ci.stubs.setFile(s.project, 'other: { script: [make] }');
    await ci.call(createPipeline, { id: '1', ref: 'main' }, s.developer);
    await finish(await s.next());
    await expect(ci.call(getRefArtifacts, onMain, s.developer)).rejects.toMatchObject({
      value: { code: jobErrors.notFound.code },
    });
  });

  it('of 64-bit archives are read, of hostile ones they are not', async () => {
    const s = await scene();
    const build = await s.next();
    const content = Buffer.alloc(1_000_000, 'x');
    const read = async (bytes: Buffer, artifact_path = 'a.txt') => {
      await upload(build, bytes);
      const job = { id: '1', job_id: build.id };
      const ticket = await ci.call(getArtifactFile, { ...job, artifact_path }, s.developer);
      const answer = await fetched(ticket).catch(() => 'broken off');
      await ci.call(deleteArtifacts, job, s.maintainer);
      return typeof answer === 'string' ? answer : answer.status === 200 ? answer.body.length : answer.status;
    };
    expect(await read(zipOf([{ name: 'a.txt', content }], { is64Bit: true }))).toBe(1_000_000);
    // More data than the index states, or a size above the limit.
    expect(await read(zipOf([{ name: 'a.txt', content, claimedBytes: 1000 }]))).toBe('broken off');
    expect(await read(zipOf([{ name: 'a.txt', content, claimedBytes: 2 ** 34 }], { is64Bit: true }))).toBe(422);
    expect(await read(zipOf([{ name: 'a.txt', content, isEncrypted: true }]))).toBe(422);
    expect(await read(zipOf([{ name: '../../a.txt', content }]), '../../a.txt')).toBe(422);
    expect(await read(zipOf([{ name: '/etc/passwd', content }]), '/etc/passwd')).toBe(422);
    expect(await read(zipOf([{ name: 'a.txt', content }]).subarray(0, 500))).toBe(422);
    expect(await read(Buffer.alloc(0))).toBe(422);
    const sound = zipOf([{ name: 'a.txt', content }]);
    for (const place of [sound.length - 22, sound.length - 40, sound.length - 10, 5]) {
      const damaged = Buffer.from(sound);
      damaged.fill(0xff, place, place + 4);
      expect([422, 1_000_000, 'broken off']).toContain(await read(damaged));
    }
  });

  it('are accepted once, from the runner of a running job, up to the limit of the instance', async () => {
    const s = await scene();
    const build = await s.next();
    const asked = { id: build.id, token: build.token };
    expect(await ci.call(authorizeJobArtifact, asked, nobody)).toEqual({ MaximumSize: 100 * 1024 ** 2 });
    const refusals = [
      [{ ...asked, filesize: 100 * 1024 ** 2 + 1 }, commonErrors.tooLarge.code],
      [{ ...asked, token: 'of nobody' }, runnerJobErrors.unknownToken.code],
      [{ id: build.id }, runnerJobErrors.unknownToken.code],
      [{ ...asked, id: 999_999_999 }, runnerJobErrors.unknownToken.code],
    ] as const;
    for (const [input, code] of refusals) {
      await expect(ci.call(authorizeJobArtifact, input, nobody)).rejects.toMatchObject({ value: { code } });
    }
    const tooLarge = ci.uploads.add(archive, 'a.zip', { sizeBytes: 100 * 1024 ** 2 + 1 });
    await expect(ci.call(uploadJobArtifact, { ...asked, file: tooLarge }, nobody)).rejects.toMatchObject({
      value: { code: commonErrors.tooLarge.code },
    });
    // A truncated upload.
    const short = ci.uploads.add(archive, 'a.zip', { sizeBytes: archive.length + 1 });
    await expect(ci.call(uploadJobArtifact, { ...asked, file: short }, nobody)).rejects.toMatchObject({
      value: { code: commonErrors.badRequest.code },
    });
    expect(filesOf(s.project)).toEqual([]);
    await Promise.all([upload(build), upload(build), upload(build)]);
    expect(filesOf(s.project)).toHaveLength(1);
    await expect(upload(build, Buffer.from('other'))).rejects.toMatchObject({
      value: { code: artifactErrors.exists.code },
    });
    expect(filesOf(s.project)).toHaveLength(1);
    const { artifacts } = await ci.call(getJob, { id: '1', job_id: build.id }, s.developer);
    expect(artifacts).toHaveLength(1);
    await finish(build);
    await expect(upload(build)).rejects.toMatchObject({ value: { code: commonErrors.forbidden.code } });
  });

  it('expire, unless they are retained', async () => {
    const s = await scene();
    const [build, docs] = [await s.next(), await s.next()];
    await upload(build, archive, { expire_in: '1 week' });
    await upload(docs, archive, { expire_in: '1 week' });
    const kept = await ci.call(keepArtifacts, { id: '1', job_id: docs.id }, s.developer);
    expect(kept.artifacts_expire_at).toBeNull();
    // The service's own periodic job would interfere.
    await ci.under.running.hold();
    await ci.artifacts.updateMany({ projectId: s.project.id, expiresAt: { $exists: true } }, { expiresAt: new Date() });
    const job = { id: '1', job_id: build.id };
    expect((await ci.call(getJob, job, s.developer)).artifacts).toEqual([]);
    for (const gone of [getJobArtifacts, keepArtifacts]) {
      await expect(ci.call(gone, job, s.developer)).rejects.toMatchObject({
        value: { code: artifactErrors.notFound.code },
      });
    }
    expect(filesOf(s.project)).toHaveLength(2);
    await ci.removeOldArtifacts();
    expect(filesOf(s.project)).toHaveLength(1);
    await ci.call(getJobArtifacts, { id: '1', job_id: docs.id }, s.developer);
    await ci.under.running.release(false);
  });

  it('are retained even if the periodic job has already selected them', async () => {
    const s = await scene();
    const jobs = [await s.next(), await s.next()];
    for (const job of jobs) await upload(job, archive, { expire_in: '1 week' });
    await ci.under.running.hold();
    // Artifacts of other tests.
    await ci.removeOldArtifacts();
    await ci.artifacts.updateMany({ projectId: s.project.id }, { expiresAt: new Date() });
    const storage: ObjectStorage = ci.under.running.app.get(ObjectStorage, { strict: false });
    const { remove } = storage;
    // Like a process whose clock is behind.
    const removed = jest.spyOn(storage, 'remove').mockImplementationOnce(async (key) => {
      await ci.artifacts.updateMany({ projectId: s.project.id, status: 'stored' }, { $unset: { expiresAt: 1 } });
      await remove.call(storage, key);
    });
    await ci.removeOldArtifacts();
    removed.mockRestore();
    await ci.under.running.release(false);
    expect(filesOf(s.project)).toHaveLength(1);
    expect(await ci.artifacts.countDocuments({ projectId: s.project.id, status: 'stored' })).toBe(1);
  });

  it('of abandoned uploads are removed, with their files', async () => {
    const s = await scene();
    const [build, docs] = [await s.next(), await s.next()];
    await upload(build);
    await upload(docs);
    // Processes were killed during an upload and during a removal.
    await ci.artifacts.updateOne(
      { jobId: build.id },
      { $set: { status: 'receiving', createdAt: new Date(Date.now() - 2 * 3_600_000) }, $unset: { slot: 1 } },
    );
    await ci.artifacts.updateOne({ jobId: docs.id }, { $set: { status: 'removing' }, $unset: { slot: 1 } });
    // The runner retries successfully.
    await upload(build);
    await ci.removeOldArtifacts();
    expect(filesOf(s.project)).toHaveLength(1);
    expect(await ci.artifacts.countDocuments({ projectId: s.project.id })).toBe(1);
    await ci.call(getJobArtifacts, { id: '1', job_id: build.id }, s.developer);
  });

  it('are deleted by request, with their job, their pipeline, and their project', async () => {
    const s = await scene();
    const [build, docs] = [await s.next(), await s.next()];
    await upload(build);
    await upload(docs);
    const sizes = () => ci.call(artifactSizes, { project_ids: [s.project.id] }, nobody);
    expect(await sizes()).toEqual([{ project_id: s.project.id, size_bytes: 2 * archive.length }]);
    expect((await ci.call(countJobArtifacts, {}, nobody)).job_artifacts).toBeGreaterThanOrEqual(2);
    await ci.call(deleteArtifacts, { id: '1', job_id: docs.id }, s.maintainer);
    expect(filesOf(s.project)).toHaveLength(1);
    await finish(docs);
    // Running jobs are not affected.
    expect(await ci.call(deleteProjectArtifacts, { id: '1' }, s.maintainer)).toEqual({ message: '202 Accepted' });
    await ci.removeOldArtifacts();
    expect(filesOf(s.project)).toHaveLength(1);
    await finish(build);
    const erased = await ci.call(eraseJob, { id: '1', job_id: build.id }, s.maintainer);
    expect([erased.artifacts, erased.erased_at]).toEqual([[], expect.any(String)]);
    expect(filesOf(s.project)).toEqual([]);
    expect(await sizes()).toEqual([]);

    const test = await s.next();
    await upload(test);
    const owner = ci.stubs.as(ci.stubs.user('owner'), s.project, Access.Owner);
    await ci.call(deletePipeline, { id: '1', pipeline_id: s.pipeline.id }, owner);
    expect(filesOf(s.project)).toEqual([]);
    await expect(upload(test)).rejects.toMatchObject({ value: { code: runnerJobErrors.unknownToken.code } });

    await ci.call(createPipeline, { id: '1', ref: 'main' }, s.developer);
    await upload(await s.next());
    await ci.under.emit(projectDeleted, { project_id: s.project.id } as never);
    await eventually(() => filesOf(s.project).length === 0, 'the end of the files');
    await eventually(async () => (await sizes()).length === 0, 'the end of their records');
  });

  it('are not added to a job that was erased during the upload', async () => {
    const s = await scene();
    const build = await s.next();
    const artifacts: Artifacts = ci.under.running.app.get(Artifacts, { strict: false });
    const { receive } = artifacts;
    const received = jest.spyOn(artifacts, 'receive').mockImplementationOnce(async (...given) => {
      await ci.call(cancelJob, { id: '1', job_id: build.id }, s.maintainer);
      await ci.call(eraseJob, { id: '1', job_id: build.id }, s.maintainer);
      await receive.apply(artifacts, given);
    });
    await expect(upload(build)).rejects.toMatchObject({ value: { code: jobErrors.notFound.code } });
    received.mockRestore();
    expect(filesOf(s.project)).toEqual([]);
  });

  it('of scanners are processed with their type when their job on the default branch ends', async () => {
    const taken: InputOf<typeof receiveSecurityReport>[] = [];
    const completed: number[] = [];
    ci.under.respond(completeSecurityReports, ({ pipeline_id }) => {
      completed.push(pipeline_id);
    });
    ci.under.respond(receiveSecurityReport, (input) => {
      // The ends of a job and of its pipeline arrive at the same time.
      if (!taken.some(({ origin }) => origin === input.origin)) taken.push(input);
      return input.report_type === 'container_scanning' ? securityReportErrors.refused() : ({} as never);
    });
    const files = new UploadedFiles(ticketKey);
    const textOf = async ({ file }: (typeof taken)[number]) => (await files.open(file, reportLimit).bytes()).toString();
    const content = 'build: { script: x, artifacts: { reports: { sast: a, cyclonedx: [b, c], junit: c } } }';
    const s = await scene({ defaultBranch: 'main' }, content);
    const job = await s.next();
    await upload(job, Buffer.from('{"a":1}'), { artifact_type: 'sast', artifact_format: 'raw' });
    // Files of a list are concatenated.
    const several = Buffer.concat([gzipSync('{"b":2}'), gzipSync('{"b":3}')]);
    await upload(job, several, { artifact_type: 'cyclonedx', artifact_format: 'gzip' });
    await upload(job, gzipSync('<c/>'), { artifact_type: 'junit', artifact_format: 'gzip' });
    await upload(job, Buffer.from('no gzip'), { artifact_type: 'dast', artifact_format: 'gzip' });
    await upload(job, Buffer.from('rubbish'), { artifact_type: 'container_scanning', artifact_format: 'raw' });
    await finish(job);
    await eventually(() => taken.length >= 3, 'the reports');
    const userId = s.developer.caller!.id;
    expect(taken.map(({ report_type, user_id }) => [report_type, user_id])).toEqual([
      ['sast', userId],
      [undefined, userId],
      ['container_scanning', userId],
    ]);
    expect(await Promise.all(taken.map(textOf))).toEqual(['{"a":1}', '{"b":2}{"b":3}', 'rubbish']);
    // The pipeline ends with its only job.
    const pipelines = new Set(taken.map(({ pipeline_id }) => pipeline_id));
    expect(pipelines.size).toBe(1);
    await eventually(() => completed.length >= 1, 'the end of the pipeline');
    expect(new Set(completed)).toEqual(pipelines);

    // Other branches have none; after a later one that has, it would have been created.
    const elsewhere = await scene({ defaultBranch: 'trunk' }, content);
    const other = await elsewhere.next();
    await upload(other, Buffer.from('{"c":3}'), { artifact_type: 'sast', artifact_format: 'raw' });
    await finish(other);
    await ci.call(createPipeline, { id: '1', ref: 'main' }, s.developer);
    const last = await s.next();
    await upload(last, Buffer.from('{"d":4}'), { artifact_type: 'sast', artifact_format: 'raw' });
    await finish(last);
    await eventually(() => taken.length >= 4, 'the last report');
    expect(await Promise.all(taken.slice(3).map(textOf))).toEqual(['{"d":4}']);
  });

  it('of scanners are all processed if the rest of their pipeline waits for a manual job', async () => {
    const completed: number[] = [];
    ci.under.respond(receiveSecurityReport, () => ({}) as never);
    ci.under.respond(completeSecurityReports, ({ pipeline_id }) => {
      completed.push(pipeline_id);
    });
    const s = await scene(
      { defaultBranch: 'main' },
      `
scan: { script: x, artifacts: { reports: { sast: a } } }
deploy: { stage: deploy, script: x, when: manual, allow_failure: false }
`,
    );
    const job = await s.next();
    await upload(job, Buffer.from('{"a":1}'), { artifact_type: 'sast', artifact_format: 'raw' });
    await finish(job);
    await eventually(() => completed.includes(s.pipeline.id), 'what says that no more come');
  });

  it('are hidden from users without access', async () => {
    const s = await scene(
      { visibility: 'public', publicBuilds: true },
      `
build: { script: x, artifacts: { paths: [a], access: maintainer } }
docs: { script: x, artifacts: { paths: [a], public: false } }
open: { script: x, artifacts: { paths: [a] } }
`,
    );
    const jobs = [await s.next(), await s.next(), await s.next()];
    for (const job of jobs) await upload(job);
    const guest = ci.stubs.as(ci.stubs.user('guest'), s.project, Access.Guest);
    const anonymous = contextOf({ project: { ...s.project, accessLevel: Access.None } });
    const resultOf = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'read',
        (error: { value: { code: string } }) => error.value.code,
      );
    /** Downloads and lists each; both have the same result. */
    const read = (context: typeof guest) =>
      Promise.all(
        jobs.map(async ({ id }) => {
          const job = { id: '1', job_id: id };
          const downloaded = await resultOf(ci.call(getJobArtifacts, job, context));
          expect(await resultOf(ci.call(listArtifactFolder, { ...job, folder: '' }, context))).toBe(downloaded);
          return downloaded;
        }),
      );
    const { forbidden, unauthorized } = commonErrors;
    expect(await read(s.maintainer)).toEqual(['read', 'read', 'read']);
    expect(await read(s.developer)).toEqual([forbidden.code, 'read', 'read']);
    expect(await read(guest)).toEqual([forbidden.code, forbidden.code, 'read']);
    expect(await read(anonymous as typeof guest)).toEqual([unauthorized.code, unauthorized.code, 'read']);
    const closed = contextOf({ caller: guest.caller, project: { ...guest.project!, publicBuilds: false } });
    expect(await read(closed as typeof guest)).toEqual(Array(3).fill(jobErrors.notFound.code));
  });
});
