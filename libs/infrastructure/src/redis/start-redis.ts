import { mkdirSync, writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { type Placement, placeFiles } from '../program/placement';
import { type RunningProgram, startProgram } from '../program/start-program';
import { tryUntilReady } from '../program/try-until-ready';

/** @returns the address of a server on this machine; the password excludes other users of the machine */
export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/**
 * Starts redis-server on 127.0.0.1, its append-only file in the folder `redis`.
 * @throws ProgramError, see startProgram
 */
export async function startRedis(place: Placement, port: number, password: string): Promise<RunningProgram> {
  const { folder, configFile, fsync, ...files } = placeFiles(place, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(configFile, renderConfig({ folder, port, password, fsync }), { mode: 0o600 });
  return startProgram({
    name: 'redis-server',
    command: 'redis-server',
    args: [configFile],
    ...files,
    waitUntilReady: (_child, signal) => tryUntilReady(() => ping(redisUrl(port, password)), signal),
  });
}

interface Config {
  folder: string;
  port: number;
  password: string;
  fsync: boolean;
}

function renderConfig({ folder, port, password, fsync }: Config): string {
  return `bind 127.0.0.1
port ${port}
requirepass "${password}"
dir ${JSON.stringify(folder)}
daemonize no
appendonly yes
# "everysec" puts a write off, up to 2 s, while the disk is slow: a kill then loses what was acknowledged.
# "always" syncs once for all commands of a turn of the event loop, so many writers share the cost.
appendfsync ${fsync ? 'always' : 'no'}
# The append-only file alone is the copy that counts.
save ""
# Queues are no cache: BullMQ wants an error rather than a lost key.
maxmemory-policy noeviction
`;
}

async function ping(address: string): Promise<void> {
  const redis = new Redis(address, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
  // Without a listener ioredis prints the error of the rejected promise.
  redis.on('error', () => {});
  try {
    await redis.connect();
    // Refused with LOADING until the append-only file has been read.
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
