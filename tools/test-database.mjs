/**
 * `npm run test:database [-- --project <name>]`: runs the integration tests of the services with another database: that
 * of MONGODB_URI, else a `mongod` on the PATH.
 */
import './help.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { services } from './services.mjs';
import { print, run, runTool, SetUpError, setUp } from './set-up.mjs';

const projects = ['database', ...services];
const folder = mkdtempSync(path.join(tmpdir(), 'moothall-database-'));

await runTool(async () => {
  const { project } = parseArgs({ options: { project: { type: 'string' } } }).values;
  setUp();
  const { name, uri, server } = await openDatabase();
  print(`The integration tests run on ${name}.`);
  try {
    const folders = projects.filter((each) => !project || each === project).map((each) => `/${each}/test/`);
    const env = { ...process.env, MONGODB_URI: uri };
    const { status } = run('node_modules/.bin/jest', [...folders, '--selectProjects', 'integration'], { env });
    process.exitCode = status;
  } finally {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function openDatabase() {
  if (process.env.MONGODB_URI) return { name: 'the database of MONGODB_URI', uri: process.env.MONGODB_URI };
  if (isThere('mongod')) return startMongod();
  throw new SetUpError('Set MONGODB_URI, or have a mongod on the PATH.');
}

function isThere(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A replica set with one member, for majority writes, retries and causal reads as in production. */
async function startMongod() {
  const port = await freePort();
  const options = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', 'tests'];
  const server = spawn('mongod', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const { MongoClient } = await import('mongodb');
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.db('admin').command({ replSetInitiate: {} });
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  await client.close();
  return { name: `mongod ${version}`, uri: `mongodb://127.0.0.1:${port}/?replicaSet=tests`, server };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
