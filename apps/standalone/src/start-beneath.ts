import {
  chooseMongodb,
  type MongodbEngine,
  natsUrl,
  type Placement,
  type RunningProgram,
  redisUrl,
  startEmbeddedMongo,
  startMongod,
  startNats,
  startOnFreePort,
  startRedis,
  watchJetStream,
} from '@moothall/infrastructure';
import { unattended } from '@moothall/logging';
import { findProgram } from '@moothall/processes';
import { StartError } from './data-folder/start-error';
import type { Secrets } from './data-folder/store-secrets';
import type { Launch, Supervised } from './process/supervised';

export interface Beneath {
  natsUrl: string;
  redisUrl: string;
  mongodbUri: string;
}

interface BeneathSettings {
  NATS_URL?: string | undefined;
  REDIS_URL?: string | undefined;
  MONGODB_URI?: string | undefined;
  MONGODB_ENGINE: MongodbEngine;
}

type Supervise = (name: string, launch: Launch) => Supervised;

/** Programs that the repository service runs, for git and to compress archives. */
const alwaysWanted = ['git', 'bzip2', 'pigz'];

/** @throws StartError that names every missing program */
export function requirePrograms(settings: BeneathSettings): void {
  const wanted = [
    !settings.NATS_URL && 'nats-server',
    !settings.REDIS_URL && 'redis-server',
    !settings.MONGODB_URI && settings.MONGODB_ENGINE === 'mongod' && 'mongod',
    ...alwaysWanted,
  ];
  const missing = wanted.filter((name): name is string => name !== false && findProgram(name) === undefined);
  if (missing.length === 0) return;
  const elsewhere = missing.every((name) => alwaysWanted.includes(name))
    ? ''
    : ', or run deploy/compose.infra.yaml and set NATS_URL, REDIS_URL and MONGODB_URI';
  throw new StartError(
    `Not installed: ${missing.join(', ')}. Install ${missing.length > 1 ? 'them' : 'it'}${elsewhere}.`,
  );
}

/**
 * Starts the programs that the services depend on, concurrently; programs with a configured address run elsewhere.
 * @throws ProgramError if a program does not start
 */
export async function startBeneath(
  settings: BeneathSettings,
  secrets: Secrets,
  place: Placement,
  supervise: Supervise,
): Promise<Beneath> {
  const startMongodb =
    chooseMongodb(settings.MONGODB_ENGINE, place.dataFolder) === 'mongod' ? startMongod : startEmbeddedMongo;
  const { natsPassword, redisPassword } = secrets;
  const [nats, redis, mongodb] = await Promise.all([
    settings.NATS_URL ??
      onPort('nats-server', (port, at) => startWatchedNats(at, port, natsPassword), place, supervise).then((port) =>
        natsUrl(port, natsPassword),
      ),
    settings.REDIS_URL ??
      onPort('redis-server', (port, at) => startRedis(at, port, redisPassword), place, supervise).then((port) =>
        redisUrl(port, redisPassword),
      ),
    settings.MONGODB_URI ?? onSocket(startMongodb, place, supervise),
  ]);
  return { natsUrl: nats, redisUrl: redis, mongodbUri: mongodb };
}

async function startWatchedNats(place: Placement, port: number, password: string): Promise<RunningProgram> {
  const program = await startNats(place, port, password);
  unattended('JetStream', watchJetStream(program, natsUrl(port, password)));
  return program;
}

/** @returns the port, which stays the same after a restart, so that clients find the program */
async function onPort(
  name: string,
  start: (port: number, place: Placement) => Promise<RunningProgram>,
  place: Placement,
  supervise: Supervise,
): Promise<number> {
  let kept: number | undefined;
  await supervise(name, async (signal) => {
    const at = { ...place, signal };
    if (kept !== undefined) return start(kept, at);
    const first = await startOnFreePort((port) => start(port, at));
    kept = first.port;
    return first.program;
  }).start();
  if (kept === undefined) throw new Error(`${name} has no port`);
  return kept;
}

async function onSocket(start: typeof startMongod, place: Placement, supervise: Supervise): Promise<string> {
  let uri = '';
  await supervise('MongoDB', async (signal) => {
    const mongodb = await start({ ...place, signal });
    uri = mongodb.uri;
    return mongodb.program;
  }).start();
  return uri;
}
