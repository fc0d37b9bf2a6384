import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort, recoveryPace } from '@moothall/infrastructure';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import * as ownFolder from '../../../../tools/jest/own-folder';
import type { Collector } from './collector';

/** The server that all test files use; stop.ts ends it. */
export interface StartedServer {
  process: ChildProcess;
  dataFolder: string;
}

declare global {
  var startedServer: StartedServer | undefined;
  /** Of a server with traces. */
  var collector: Collector | undefined;
}

export const main = path.resolve(__dirname, '../../../standalone/dist/main.js');

/** Arguments of the server: with `E2E_REPLICAS` every service has that many processes, with as many gateways. */
export const serverArgs = (): string[] =>
  process.env.E2E_REPLICAS ? ['--services', '--replicas', process.env.E2E_REPLICAS] : [];

/** Runs `npm start`, or `npm run start:services`, on a new data folder. */
export default async function start(): Promise<void> {
  await ownFolder.open();
  await onFreePort(startOn);
}

/** Another program may take the port first; then others are tried. */
export async function onFreePort(begin: (port: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await begin(await findFreePort());
    } catch (error) {
      if (attempt === 5 || !/EADDRINUSE|address already in use/.test(String(error))) throw error;
    }
  }
}

async function startOn(port: number): Promise<void> {
  const dataFolder = temporaryFolder('e2e');
  const child = spawn(process.execPath, [main, ...serverArgs()], {
    // The server stops when its end of the channel closes, also if the tests are killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      // The same on every machine; other numbers are tested with `E2E_REPLICAS`.
      PROCESSES: '2',
      // These tests do not read from the old copy of a moved repository; `npm run test:slow -- clients` sets the default, 10 s.
      STORAGE_MOVE_GRACE: '1',
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      SSH_PORT: '0',
      REGISTRY_PORT: '0',
      MOOTHALL_DATA_DIR: dataFolder,
      MONGODB_ENGINE: 'embedded',
      RECOVERY_PACE: recoveryPace,
      // An answer that breaks its contract is a 500.
      CHECK_OUTPUT: 'true',
      // No test crashes the machine.
      FSYNC: 'false',
      // Clients of several test files request archives of one project.
      ARCHIVE_RATE_LIMIT: '0',
    },
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream!.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Started in')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`the server ended at its start:\n${output}`)));
  }).catch(async (error: unknown) => {
    await removeTemporaryFolder(dataFolder);
    throw error;
  });
  process.env.MOOTHALL_CONNECTION = readFileSync(path.join(dataFolder, 'connection.json'), 'utf8');
  globalThis.startedServer = { process: child, dataFolder };
  await allowReceivers();
}

/** Tests have receivers of hooks and mirrors at this address; at others of this machine requests are refused. */
async function allowReceivers(): Promise<void> {
  const { url, token } = JSON.parse(process.env.MOOTHALL_CONNECTION ?? '') as { url: string; token: string };
  const { status } = await fetch(`${url}/api/v4/application/settings`, {
    method: 'PUT',
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ outbound_local_requests_whitelist: ['127.0.0.1'] }),
  });
  if (status !== 200) throw new Error(`the application settings were answered with ${status}`);
}
