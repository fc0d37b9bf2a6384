import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Addresses of an installation; unknown parts are not checked. */
export interface Installation {
  dataFolder?: string | undefined;
  pid?: number | undefined;
  url?: string | undefined;
  metricsUrl?: string | undefined;
  registryUrl?: string | undefined;
  mongodbUri?: string | undefined;
  natsUrl?: string | undefined;
  redisUrl?: string | undefined;
}

/**
 * The server on the data folder, or the services in the settings of the environment.
 * @throws Error if there is neither
 */
export function findInstallation(env: NodeJS.ProcessEnv): Installation {
  const dataFolder = path.resolve(env.MOOTHALL_DATA_DIR ?? 'data');
  const file = path.join(dataFolder, 'connection.json');
  const named: Installation = {
    url: env.EXTERNAL_URL,
    metricsUrl: env.METRICS_URL,
    mongodbUri: env.MONGODB_URI,
    natsUrl: env.NATS_URL,
    redisUrl: env.REDIS_URL,
  };
  if (existsSync(file)) {
    const connection = JSON.parse(readFileSync(file, 'utf8'));
    return {
      dataFolder,
      pid: connection.pid,
      url: connection.url,
      metricsUrl: connection.metrics_url,
      registryUrl: connection.registry_url ?? undefined,
      mongodbUri: connection.mongodb_uri,
      natsUrl: connection.nats_url,
      redisUrl: connection.redis_url,
    };
  }
  if (Object.values(named).some((value) => value !== undefined)) return named;
  throw new Error(
    `No server runs on ${dataFolder}: there is no connection.json. Start it, set MOOTHALL_DATA_DIR, or name the parts of an installation (MONGODB_URI, NATS_URL, REDIS_URL, EXTERNAL_URL, METRICS_URL).`,
  );
}
