import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { ask, askJson, connection } from '../server/connection';
import { git } from '../server/git';
import { until } from '../server/until';

/**
 * Takes the next job of a project as a new runner, and ends it.
 * @param files its artifacts: contents by path
 */
export async function finishJob(project_id: number, files: Record<string, string>, log = ''): Promise<{ id: number }> {
  const send = async (method: string, at: string, body: object, token?: string) => {
    const answer = await askJson(method, at, { body, ...(token && { token }) });
    if (answer.status >= 400) throw new Error(`${method} ${at}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const runner = { runner_type: 'project_type', project_id };
  const { token } = (await send('POST', '/user/runners', runner, connection.token)).body;
  const job = await until('the job', async () => {
    const { status, body } = await send('POST', '/jobs/request', { token });
    return status === 201 ? (body as { id: number; token: string }) : undefined;
  });
  if (log !== '') {
    const headers = { 'job-token': job.token, 'content-range': `0-${Buffer.byteLength(log) - 1}` };
    const { status } = await ask(`/api/v4/jobs/${job.id}/trace`, { method: 'PATCH', headers, body: log });
    if (status !== 202) throw new Error(`The log was answered with ${status}`);
  }
  const form = new FormData();
  form.set('expire_in', '1 week');
  form.set('file', new Blob([await archiveOf(files)]), 'artifacts.zip');
  const upload = { method: 'POST', headers: { 'job-token': job.token }, body: form };
  const { status } = await fetch(`${connection.url}/api/v4/jobs/${job.id}/artifacts`, upload);
  if (status !== 201) throw new Error(`The artifacts were answered with ${status}`);
  await send('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' });
  return job;
}

/** A zip archive, made by git. */
async function archiveOf(files: Record<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const folder = temporaryFolder('artifacts');
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    git(folder, ['init', '--quiet']);
    git(folder, ['add', '.']);
    git(folder, ['commit', '--quiet', '--message=files']);
    git(folder, ['archive', '--format=zip', '--output=artifacts.zip', 'HEAD']);
    return new Uint8Array(readFileSync(path.join(folder, 'artifacts.zip')));
  } finally {
    await removeTemporaryFolder(folder);
  }
}
