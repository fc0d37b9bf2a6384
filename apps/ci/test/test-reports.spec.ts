import { gzipSync } from 'node:zlib';
import {
  Access,
  createPipeline,
  getPipelineTestReport,
  getPipelineTestReportSummary,
  registerRunner,
  reportJob,
  requestJob,
  resetProjectRegistrationToken,
  retryJob,
  uploadJobArtifact,
} from '@moothall/contracts';
import { contextOf } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const nobody = contextOf({});
const junit = { reports: { junit: 'junit.xml' } };
const file = JSON.stringify({
  fast: { script: 'x', artifacts: junit },
  slow: { script: 'x', artifacts: { ...junit, access: 'maintainer' } },
});
const suite = (cases: string) => `<?xml version="1.0"?><testsuite>${cases}</testsuite>`;
const passed = '<testcase name="a" time="1.5"/>';
const failed = '<testcase name="b" classname="B"><failure>no</failure></testcase>';

describe('the test report of a pipeline', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start({ ROLES: 'api' });
  });
  afterAll(() => ci?.stop());

  const scene = async () => {
    const project = ci.stubs.project({ publicBuilds: true }, file);
    const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const developer = ci.stubs.as(ci.stubs.user('developer'), project);
    const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
    const runner = await ci.call(registerRunner, { token }, nobody);
    const { id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, maintainer);
    const target = { id: '1', pipeline_id: id };
    /** Runs the next job, with that report. */
    const leave = async (xml: Buffer) => {
      const job = (await ci.call(requestJob, { token: runner.token }, nobody))!;
      const given = { id: job.id, token: job.token, artifact_type: 'junit', artifact_format: 'gzip' } as const;
      await ci.call(uploadJobArtifact, { ...given, file: ci.uploads.add(xml, 'junit.xml.gz') }, nobody);
      await ci.call(reportJob, { id: job.id, token: job.token, state: 'failed' }, nobody);
      return job;
    };
    const report = (as = maintainer) => ci.call(getPipelineTestReport, target, as);
    return { maintainer, developer, target, leave, report };
  };

  it('counts the reports of the latest runs, for users who may read it', async () => {
    const s = await scene();
    const fast = await s.leave(gzipSync(suite(passed + failed)));
    await s.leave(gzipSync(suite(passed)));
    expect(await s.report()).toMatchObject({
      total_time: 3,
      total_count: 3,
      success_count: 2,
      failed_count: 1,
      test_suites: [
        {
          name: 'fast',
          total_count: 2,
          suite_error: null,
          test_cases: [
            { name: 'a', status: 'success', execution_time: 1.5 },
            { name: 'b', classname: 'B', status: 'failed', system_output: 'no' },
          ],
        },
        { name: 'slow', total_count: 1 },
      ],
    });
    expect((await s.report(s.developer)).test_suites.map(({ name }) => name)).toEqual(['fast']);
    expect(await ci.call(getPipelineTestReportSummary, s.target, s.developer)).toMatchObject({
      total: { time: 1.5, count: 2, success: 1, failed: 1, skipped: 0, error: 0, suite_error: null },
      test_suites: [{ name: 'fast', build_ids: [fast.id], failed_count: 1 }],
    });
    await ci.call(retryJob, { id: '1', job_id: fast.id }, s.maintainer);
    expect((await s.report()).test_suites.map(({ name }) => name)).toEqual(['slow']);
  });

  it('contains an error for an invalid report, and reads the others', async () => {
    const s = await scene();
    await s.leave(Buffer.from('not packed at all'));
    await s.leave(gzipSync(suite(passed)));
    const { test_suites, total_count } = await s.report();
    expect(test_suites[0]).toMatchObject({ total_count: 0, suite_error: expect.stringContaining('unpacked') });
    expect(total_count).toBe(1);
  });

  it('stops if compressed reports unpack to more than the limit', async () => {
    const s = await scene();
    await s.leave(
      gzipSync(suite(`<testcase name="a"><system-out>${' '.repeat(40 * 1024 ** 2)}</system-out></testcase>`)),
    );
    await s.leave(gzipSync(suite(passed)));
    const { test_suites } = await s.report();
    expect(test_suites).toMatchObject([
      { total_count: 0, suite_error: expect.stringContaining('larger than') },
      { total_count: 0, suite_error: expect.stringContaining('larger than') },
    ]);
  });
});
