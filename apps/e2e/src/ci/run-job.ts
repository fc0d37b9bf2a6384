import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ask, connection } from '../server/connection';

const runner = path.resolve(__dirname, '../../../../tools/runner.mjs');

/** Runs one job with the runner of this repository. */
export async function runOneJob(token: string): Promise<void> {
  const args = [runner, '--url', connection.url, '--token', token, '--once'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

/** @returns the token of a new runner of the project */
export async function newRunner(projectId: number, token: string): Promise<string> {
  const body = JSON.stringify({ runner_type: 'project_type', project_id: projectId });
  const headers = { 'content-type': 'application/json' };
  const response = await ask('/api/v4/user/runners', { method: 'POST', token, headers, body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { token: string }).token;
}
