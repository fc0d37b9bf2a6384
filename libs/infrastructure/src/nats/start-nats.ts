import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ConnectionOptions, connect } from 'nats';
import { type Placement, placeFiles } from '../program/placement';
import { type RunningProgram, startProgram } from '../program/start-program';
import { tryUntilReady } from '../program/try-until-ready';

/** Largest message in bytes: a commit with file contents travels as one. */
export const natsMaxPayloadBytes = 8 * 1024 * 1024;

const user = 'moothall';

/** @returns the address of a server on this machine; the password excludes other users of the machine */
export function natsUrl(port: number, password: string): string {
  return `nats://${user}:${password}@127.0.0.1:${port}`;
}

/**
 * Starts nats-server with JetStream on 127.0.0.1, its store in the folder `nats`.
 * @throws ProgramError, see startProgram
 */
export async function startNats(place: Placement, port: number, password: string): Promise<RunningProgram> {
  const { folder, configFile, fsync, ...files } = placeFiles(place, 'nats');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(configFile, await renderConfig({ folder, port, password, fsync }), { mode: 0o600 });
  return startProgram({
    name: 'nats-server',
    command: 'nats-server',
    args: ['--config', configFile],
    // It collects garbage after every few megabytes of messages; a larger value halves that work and costs some
    // megabytes.
    env: { GOGC: '400', ...process.env },
    ...files,
    waitUntilReady: (_child, signal) => tryUntilReady(() => ping(natsUrl(port, password)), signal),
  });
}

interface Config {
  folder: string;
  port: number;
  password: string;
  fsync: boolean;
}

async function renderConfig({ folder, port, password, fsync }: Config): Promise<string> {
  return `listen: "127.0.0.1:${port}"
max_payload: ${natsMaxPayloadBytes}
max_connections: 4096
jetstream {
  store_dir: ${JSON.stringify(path.join(folder, 'store'))}
  # Else it is three quarters of the room that is left at the start: on a full disk streams would not be found.
  max_file_store: 1TB
  ${fsync && (await canSyncAlways()) ? 'sync_interval: always' : ''}
}
authorization {
  user: ${user}
  password: ${JSON.stringify(password)}
}
`;
}

/**
 * Whether this version can flush acknowledged messages to the disk before it acknowledges them. Servers before 2.10
 * refuse the setting. They also write before they acknowledge, so a kill loses nothing; a power cut may lose the last
 * two minutes, which the outboxes in MongoDB send again.
 */
async function canSyncAlways(): Promise<boolean> {
  const { stdout } = await promisify(execFile)('nats-server', ['--version']).catch(() => ({ stdout: '' }));
  const [, major = 0, minor = 0] = /v(\d+)\.(\d+)/.exec(stdout)?.map(Number) ?? [];
  return major > 2 || (major === 2 && minor >= 10);
}

/** @throws if it, or its JetStream, does not answer */
export async function ping(address: string): Promise<void> {
  const connection = await connect({ ...readNatsUrl(address), reconnect: false, timeout: 2_000 });
  try {
    // JetStream answers later than the server if there is much to recover.
    await connection.jetstreamManager();
  } finally {
    await connection.close();
  }
}

/** The client's options for a `nats://user:password@host:port` address; the client itself ignores the credentials. */
export function readNatsUrl(address: string): ConnectionOptions {
  const { host, username, password } = new URL(address);
  const credentials = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {};
  return { servers: host, ...credentials };
}
