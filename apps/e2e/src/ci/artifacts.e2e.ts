import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, clientFor, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Artifacts of jobs, for later jobs and for users: with the runner of this repository and a client. */

const runner = path.resolve(__dirname, '../../../../tools/runner.mjs');
const caches = mkdtempSync(path.join(tmpdir(), 'moothall-caches-'));
afterAll(() => rmSync(caches, { recursive: true, force: true }));

async function runOneJob(token: string): Promise<void> {
  const args = [runner, '--url', connection.url, '--token', token, '--once', '--caches', caches];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

async function newRunner(projectId: number, token: string): Promise<string> {
  const body = JSON.stringify({ runner_type: 'project_type', project_id: projectId });
  const headers = { 'content-type': 'application/json' };
  const response = await ask('/api/v4/user/runners', { method: 'POST', token, headers, body });
  return ((await response.json()) as { token: string }).token;
}

const scanner = { id: 'semgrep', name: 'Semgrep', version: '1.50.0', vendor: { name: 'Semgrep' } };
const time = '2026-01-01T00:00:00';
const report = {
  version: '15.0.0',
  scan: { type: 'sast', scanner, analyzer: scanner, status: 'success', start_time: time, end_time: time },
  vulnerabilities: [
    {
      id: '1',
      name: 'SQL injection',
      severity: 'High',
      identifiers: [{ type: 'semgrep_id', name: 'sql', value: 'sql' }],
      location: { file: 'a.js', start_line: 3 },
    },
  ],
};

const pipelineFile = {
  stages: ['build', 'test'],
  build: {
    stage: 'build',
    script: [
      'mkdir -p out/deep cached',
      'echo built > "out/deep/a b.txt"',
      'echo object > out/a.o',
      'echo kept > cached/c.txt',
      `printf %s '${JSON.stringify(report)}' > gl-sast-report.json`,
      `echo "<testsuite><testcase name='adds' time='2'/></testsuite>" > junit.xml`,
    ],
    artifacts: {
      name: '$CI_JOB_NAME-$CI_COMMIT_REF_NAME',
      paths: ['out/'],
      exclude: ['out/*.o'],
      expire_in: '1 week',
      reports: { sast: 'gl-sast-report.json', junit: 'junit.xml' },
    },
    cache: { key: '$CI_COMMIT_REF_NAME', paths: ['cached/'] },
  },
  test: {
    stage: 'test',
    script: ['cat "out/deep/a b.txt" cached/c.txt', 'test ! -e out/a.o', 'echo "nothing else:" *'],
    dependencies: ['build'],
    cache: { key: '$CI_COMMIT_REF_NAME', paths: ['cached/'], policy: 'pull' },
  },
};

it('are passed from job to job, downloaded by readers, and become vulnerabilities', async () => {
  const { client, token } = await newUser('builder');
  const project = await client.Projects.create({ path: uniqueName('artifacts'), visibility: 'private' });
  const { id } = project;
  await client.Commits.create(id, 'main', 'Add jobs', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify(pipelineFile) },
  ]);
  const runnerToken = await newRunner(id, token);
  await runOneJob(runnerToken);
  await runOneJob(runnerToken);

  const jobs = await client.Jobs.all(id);
  const [build, test] = ['build', 'test'].map((name) => jobs.find((job) => job.name === name)!);
  expect([build!.status, test!.status]).toEqual(['success', 'success']);
  expect(await client.Jobs.showLog(id, test!.id)).toMatch(/^built\nkept$/m);
  expect(build).toMatchObject({ artifacts_file: { filename: 'build-main.zip', size: expect.any(Number) } });
  expect(build!.artifacts!.map((one) => one.file_type).sort()).toEqual(['archive', 'junit', 'sast']);

  const { pipeline } = build!;
  expect(await client.Pipelines.showTestReport(id, pipeline.id)).toMatchObject({
    total_count: 1,
    test_suites: [{ name: 'build', test_cases: [{ name: 'adds', status: 'success', execution_time: 2 }] }],
  });
  const summary = await client.Pipelines.showTestReportSummary(id, pipeline.id);
  expect(summary).toMatchObject({ total: { count: 1, time: 2 }, test_suites: [{ build_ids: [build!.id] }] });

  const found = await until('the vulnerability', async () => {
    const answer = await ask(`/api/v4/projects/${id}/vulnerabilities`, { token });
    const all = (await answer.json()) as { title: string }[];
    return all.length > 0 ? all : undefined;
  });
  expect(found.map(({ title }) => title)).toEqual(['SQL injection']);

  const archive = (await client.JobArtifacts.downloadArchive(id, { jobId: build!.id })) as Blob;
  expect(archive.size).toBe(build!.artifacts_file!.size);
  const ofBranch = (await client.JobArtifacts.downloadArchive(id, { ref: 'main', job: 'build' })) as Blob;
  expect(ofBranch.size).toBe(archive.size);
  const file = (await client.JobArtifacts.downloadArchive(id, {
    jobId: build!.id,
    artifactPath: 'out/deep/a b.txt',
  })) as Blob;
  expect(await file.text()).toBe('built\n');
  const ofMain = { ref: 'main', job: 'build', artifactPath: 'out/deep/a b.txt' };
  expect(await ((await client.JobArtifacts.downloadArchive(id, ofMain)) as Blob).text()).toBe('built\n');
  const missing = await ask(`/api/v4/projects/${id}/jobs/${build!.id}/artifacts/out/a.o`, { token });
  expect([missing.status, await missing.json()]).toEqual([404, { message: '404 Not found' }]);

  const { statistics } = await client.Projects.show(id, { statistics: true });
  expect(Number(statistics!.job_artifacts_size)).toBeGreaterThan(archive.size);
  const kept = await client.JobArtifacts.keep(id, build!.id);
  expect([build!.artifacts_expire_at, kept.artifacts_expire_at]).toEqual([expect.any(String), null]);
  const { client: stranger } = await newUser('stranger');
  await expect(stranger.JobArtifacts.downloadArchive(id, { jobId: build!.id })).rejects.toThrow(/404|Not Found/i);
  await client.JobArtifacts.remove(id, { jobId: build!.id });
  expect((await client.Jobs.show(id, build!.id)).artifacts).toEqual([]);
  await clientFor(token).JobArtifacts.remove(id);
}, 180_000);
