/**
 * Uploads and downloads of artifacts of a gigabyte, beside a plain stream to and from the disk through one proxy; and
 * memory use.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { api, memoryOf } from './stack.mjs';
import { besideFloor, largeFile, seconds, startFloor } from './streams.mjs';

// The form around the file counts as well.
const bytes = (1 << 30) - (1 << 20);

/** A running job, and the token of its runner. */
async function runningJob(stack) {
  await api(stack, 'PUT', '/application/settings', { max_artifacts_size: 1024 });
  const project = await api(stack, 'POST', '/projects', { name: `artifacts-${Date.now()}` });
  const runner = await api(stack, 'POST', '/user/runners', { runner_type: 'project_type', project_id: project.id });
  const content = JSON.stringify({ build: { script: ['make'], artifacts: { paths: ['out/'] } } });
  await api(stack, 'POST', `/projects/${project.id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add a job',
    actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content }],
  });
  await api(stack, 'POST', `/projects/${project.id}/pipeline`, { ref: 'main' });
  return { project, job: await api(stack, 'POST', '/jobs/request', { token: runner.token }) };
}

export async function measureArtifacts(stack) {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-artifacts-'));
  const floor = await startFloor(folder);
  try {
    const form = ['-F', `file=@${largeFile(folder, bytes)};filename=large.zip`];
    const { project, job } = await runningJob(stack);
    const before = memoryOf(stack.pid);
    const asRunner = ['-H', `JOB-TOKEN: ${job.token}`];
    const bareUp = await seconds(stack, [...form, floor.url]);
    const up = await seconds(stack, [...asRunner, ...form, `${stack.url}/api/v4/jobs/${job.id}/artifacts`]);
    const asUser = ['-H', `PRIVATE-TOKEN: ${stack.token}`];
    const bareDown = await seconds(stack, [floor.url]);
    const down = await seconds(stack, [
      ...asUser,
      `${stack.url}/api/v4/projects/${project.id}/jobs/${job.id}/artifacts`,
    ]);
    return [
      besideFloor('artifacts of 1 GB up, against a stream to disk through one proxy', up, bareUp),
      besideFloor('artifacts of 1 GB down, against the same', down, bareDown),
      { figure: 'memory added meanwhile', value: `${Math.max(up.peak, down.peak) - before} MB`, goal: 'flat' },
    ];
  } finally {
    floor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
