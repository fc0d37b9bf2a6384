import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { OwnServer } from './own-server';
import { main } from './start';
import { type Deed, SteadyLoad } from './steady-load';
import { until } from './until';

/* Keys are rotated under load: values encrypted before, during and after the rotation can be read, and no request fails. */

jest.setTimeout(900_000);
// The load has one caller, who must not wait for a free slot of its share.
const server = new OwnServer({ SLOW_REQUESTS_PER_CALLER: '1000', ARCHIVE_RATE_LIMIT: '0' });
beforeAll(() => server.start());
afterAll(() => server.stop());

/** Runs the command of an operator. @returns its output */
async function command(name: 'rotate' | 'reseal'): Promise<string> {
  const file = path.join(path.dirname(main), 'keys/main.js');
  const env = { ...process.env, MOOTHALL_DATA_DIR: server.dataFolder };
  const { stdout } = await promisify(execFile)(process.execPath, [file, name], { env });
  return stdout;
}

const secrets = () => JSON.parse(readFileSync(path.join(server.dataFolder, 'secrets.json'), 'utf8'));

interface Variable {
  key: string;
  value: string;
}

it('keys are rotated under load: no request fails, and no value is left under the old keys', async () => {
  const { id } = (await server.api('POST', '/projects', { name: 'busy', initialize_with_readme: true })) as {
    id: number;
  };
  const at = `/projects/${id}`;
  await server.api('POST', `${at}/variables`, { key: 'BEFORE', value: 'kept' });
  await server.api('POST', `${at}/hooks`, { url: 'http://user:secret@example.com/', token: 'hunter2' });
  await server.api('PUT', `${at}/integrations/mattermost`, { webhook: 'https://example.com/hooks/x' });
  await server.api('POST', `${at}/triggers`, { description: 'deploys' });
  await server.api('POST', `${at}/remote_mirrors`, { url: 'https://user:secret@example.com/x.git' });
  const before = secrets();
  const add: Deed = {
    method: 'POST',
    path: `${at}/variables`,
    body: (key) => ({ key: key.replace('-', '_'), value: `value of ${key}` }),
  };
  const others = [`${at}/variables/BEFORE`, `${at}/repository/archive.tar.gz`, `${at}/hooks`, `${at}/triggers`];
  const reads = others.map((one): Deed => ({ method: 'GET', path: one }));
  // An owner may have 500 variables; this stays below, however fast the server is.
  const round = [add, ...Array.from({ length: 12 }, () => reads).flat()];
  const load = new SteadyLoad(server, round, 1, 40);
  try {
    await until('requests under way', () => load.count >= 20, 60_000);
    expect(await command('rotate')).toContain('The keys were rotated.');
    const count = load.count;
    await until('requests after that', () => load.count >= count + round.length, 120_000);
  } finally {
    await load.end();
  }
  expect(load.failures).toEqual([]);

  const { secretKey, ticketKey, rotation } = secrets();
  expect([rotation, secretKey === before.secretKey, ticketKey === before.ticketKey]).toEqual([undefined, false, false]);
  expect(await command('reseal')).toMatch(/^[1-9]\d* encrypted fields; 0 were under another key/);
  const made = load.done.get(add)!.map((key) => ({ key: key.replace('-', '_'), value: `value of ${key}` }));
  for (const { key, value } of [{ key: 'BEFORE', value: 'kept' }, ...made]) {
    expect(await server.api('GET', `${at}/variables/${key}`)).toMatchObject({ value } satisfies Partial<Variable>);
  }
});
