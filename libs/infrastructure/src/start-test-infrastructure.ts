import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import path from 'node:path';
import { removeAbandonedFolders, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { MongoClient } from 'mongodb';
import { type CollectionScan, scansOf } from './mongodb/scans-of';
import { startEmbeddedMongo } from './mongodb/start-embedded-mongo';
import { natsUrl, startNats } from './nats/start-nats';
import type { Placement } from './program/placement';
import { startOnFreePort } from './program/start-on-free-port';
import type { RunningProgram } from './program/start-program';
import { redisUrl, startRedis } from './redis/start-redis';

/** NATS, Redis and MongoDB for one test file. */
export interface TestInfrastructure {
  natsUrl: string;
  redisUrl: string;
  mongodbUri: string;
  /** Databases are to be named `<mongodbPrefix>_<service>`: the MongoDB is shared with other tests. */
  mongodbPrefix: string;
  /** Kills it, and starts it again at the same address with its data on disk. Resolves when it answers. */
  restart(part: 'nats' | 'redis'): Promise<void>;
  /** Queries so far that read a whole collection; only the embedded MongoDB reports them. */
  scans(): CollectionScan[];
  /** Stops everything and removes its files. */
  stop(): Promise<void>;
}

/** `RECOVERY_PACE` of tests: they wait less for losses that they cause. */
export const recoveryPace = '20';

/**
 * Starts a nats-server and a redis-server for one test file, on free ports and in a temporary folder. All files that
 * a process runs share an embedded MongoDB, with unique database names; `MONGODB_URI` replaces it. `SCANS` names the
 * file in which the embedded one records queries that read a whole collection.
 * @throws ProgramError if a program is missing or does not start
 */
export async function startTestInfrastructure(): Promise<TestInfrastructure> {
  await removeAbandonedFolders();
  const folder = temporaryFolder('test');
  const place: Placement = { dataFolder: folder, logFolder: folder, runFolder: folder, fsync: false };
  const password = randomBytes(16).toString('hex');
  const mongodbPrefix = `test${randomBytes(5).toString('hex')}`;
  const [nats, redis, mongodb] = await Promise.allSettled([
    startPart((port) => startNats(place, port, password)),
    startPart((port) => startRedis(place, port, password)),
    mongodbOfTests(),
  ]);
  const parts = [nats, redis].flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []));
  const watch = () =>
    endWithUs(
      folder,
      parts.map(({ program }) => program),
    );
  let watchdog = watch();
  const stop = async () => {
    watchdog.kill('SIGKILL');
    if (mongodb.status === 'fulfilled') await dropDatabases(mongodb.value.uri, `${mongodbPrefix}_`);
    await Promise.all(parts.map(({ program }) => program.stop()));
    await removeTemporaryFolder(folder);
  };
  if (nats.status === 'rejected' || redis.status === 'rejected' || mongodb.status === 'rejected') {
    await stop();
    throw [nats, redis, mongodb].find((part) => part.status === 'rejected')?.reason;
  }
  const { scansFile } = mongodb.value;
  return {
    natsUrl: natsUrl(nats.value.port, password),
    redisUrl: redisUrl(redis.value.port, password),
    mongodbUri: mongodb.value.uri,
    mongodbPrefix,
    scans: () => (scansFile === undefined ? [] : scansOf(scansFile, `${mongodbPrefix}_`)),
    async restart(name) {
      const part = name === 'nats' ? nats.value : redis.value;
      await part.program.stop(0);
      part.program = await part.start(part.port);
      watchdog.kill('SIGKILL');
      watchdog = watch();
    },
    stop,
  };
}

const startPart = async (start: (port: number) => Promise<RunningProgram>) => ({
  start,
  ...(await startOnFreePort(start)),
});

interface TestMongodb {
  uri: string;
  /** Where an embedded one records scans. */
  scansFile?: string;
}

const mongodbOfTests = async (uri = process.env.MONGODB_URI): Promise<TestMongodb> => (uri ? { uri } : sharedMongodb());

let mongodbOfThisProcess: Promise<TestMongodb> | undefined;

/** The embedded MongoDB of this process, which ends with it. */
function sharedMongodb(): Promise<TestMongodb> {
  mongodbOfThisProcess ??= startMongodb(() => {
    mongodbOfThisProcess = undefined;
  });
  return mongodbOfThisProcess;
}

async function startMongodb(onEnd: () => void): Promise<TestMongodb> {
  const folder = temporaryFolder('mongodb');
  const place: Placement = { dataFolder: folder, logFolder: folder, runFolder: folder, fsync: false };
  const scansFile = process.env.SCANS ?? path.join(folder, 'scans.jsonl');
  const { program, uri } = await startEmbeddedMongo(place, { scansFile }).catch((error: unknown) => {
    onEnd();
    throw error;
  });
  endWithUs(folder, [program]);
  program.unref();
  program.exited.then(onEnd, onEnd);
  return { uri, scansFile };
}

/** If the test runner is killed, its end of the pipe closes, and nothing may be left behind. */
export function endWithUs(folder: string, programs: readonly RunningProgram[]): ChildProcess {
  const script = 'read -r _; kill -9 "$@" 2>/dev/null; rm -rf "$0"';
  const watchdog = spawn('sh', ['-c', script, folder, ...programs.map(({ pid }) => String(pid))], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as Socket).unref();
  return watchdog;
}

async function dropDatabases(uri: string, prefix: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const ours = databases.filter(({ name }) => name.startsWith(prefix));
    await Promise.all(ours.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}
