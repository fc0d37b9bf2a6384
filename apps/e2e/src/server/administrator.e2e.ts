import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { connection } from './connection';

const program = path.resolve(__dirname, '../../../standalone/dist/administrator/main.js');
const run = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [program], { env: { PATH: process.env.PATH, ...env } });

/* The command that creates the first administrator, and operations that only servers for tests have. */

it('does not change an existing administrator', async () => {
  const other = { ROOT_PASSWORD: 'another-password', ROOT_TOKEN: 'glpat-another-token-of-root' };
  expect((await run({ NATS_URL: connection.nats_url, ...other })).stdout).toBe('There is an administrator.\n');
  const me = (token: string) => fetch(`${connection.url}/api/v4/user`, { headers: { 'private-token': token } });
  expect((await me(connection.token)).status).toBe(200);
  expect((await me(other.ROOT_TOKEN)).status).toBe(401);
});

it('names every setting that is missing', async () => {
  const failed = await run({}).catch((error: { code: number; stderr: string }) => error);
  expect(failed).toMatchObject({ code: 1 });
  for (const name of ['NATS_URL', 'ROOT_PASSWORD', 'ROOT_TOKEN']) expect(failed.stderr).toContain(`${name}: `);
});

it('keeps its data, without a reset', async () => {
  const { url, token } = connection;
  const answer = await fetch(`${url}/-/reset`, { method: 'POST', headers: { 'private-token': token } });
  expect(answer.status).toBe(404);
});
