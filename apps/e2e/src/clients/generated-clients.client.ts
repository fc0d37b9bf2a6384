import { copyFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';
import { connection, newUser, uniqueName } from '../server/connection';
import { program } from './programs';

/* Clients generated from the OpenAPI document. */

jest.setTimeout(300_000);

const document = `${connection.url}/api/v4/openapi.json`;
const generateTypes = program('openapi', 'node_modules/openapi-typescript/bin/cli.js');
const compile = program('openapi', 'node_modules/typescript/bin/tsc');

const day = {
  project: { id: expect.any(Number), path: expect.stringContaining('/generated') },
  issue: { iid: 1, labels: ['bug'], author: expect.any(String) },
  found: ['It breaks'],
  refused: { message: '404 Project Not Found' },
};

generateTypes.test('openapi-typescript and openapi-fetch', async () => {
  const user = await newUser();
  const folder = temporaryFolder('openapi-typescript');
  symlinkSync(path.join(generateTypes.folder, 'node_modules'), path.join(folder, 'node_modules'));
  copyFileSync(path.join(__dirname, 'openapi-fetch-day.mts.txt'), path.join(folder, 'day.mts'));
  await generateTypes.run([document, '--output', 'api.d.ts'], folder, {});
  const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
  await compile.run([...options, 'day.mts'], folder, {});
  const client = program('openapi', path.join(folder, 'day.mjs'));
  const printed = await client.run([connection.url, user.token, uniqueName('generated')], folder, {});
  expect(JSON.parse(printed)).toEqual(day);
});

const generateModule = program('openapi-python-client', 'bin/openapi-python-client', 'python3');
const python = program('openapi-python-client', path.join(__dirname, 'openapi-python-day.py'), 'python3');

generateModule.test('openapi-python-client', async () => {
  const user = await newUser();
  const folder = temporaryFolder('openapi-python');
  const env = { PYTHONPATH: [generateModule.folder, folder].join(path.delimiter) };
  const target = ['--output-path', path.join(folder, 'moothall_api'), '--meta', 'none'];
  const messages = await generateModule.run(['generate', '--url', document, ...target], folder, env);
  expect(messages).not.toContain('will not be generated');
  const printed = await python.run([connection.url, user.token, uniqueName('generated')], folder, env);
  expect(JSON.parse(printed)).toEqual(day);
});
