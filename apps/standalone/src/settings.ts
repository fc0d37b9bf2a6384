import { directory, durabilitySettings, int, list, oneOf, seconds, secret, string, url } from '@moothall/config';
import { mongodbEngines } from '@moothall/infrastructure';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Settings of `npm start` itself. All other variables are passed on to the services, which check their own. */
export const standaloneSettings = {
  PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'Port of HTTP; by default 8080, or a free one if that is in use; 0 takes a free one',
  }),
  HOST: string({ default: '127.0.0.1', about: 'Interface to listen on; `0.0.0.0` for all' }),
  SSH_PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'Port of git over SSH; by default 2222, or a free one if that is in use; 0 takes a free one',
  }),
  REGISTRY_PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'Port of the container registry; by default 5050, or a free one if that is in use; 0 takes a free one',
  }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'Port of the metrics of all processes, for Prometheus; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'Interface of the metrics' }),
  EXTERNAL_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    about: 'Address of the server for clients, used in links; by default `http://<HOST>:<PORT>`',
  }),
  MOOTHALL_DATA_DIR: directory({ default: './data', about: 'Data folder' }),
  ...durabilitySettings,
  ROOT_PASSWORD: secret({
    minLength: 8,
    optional: true,
    about: 'First start: password of `root`; by default a random one',
  }),
  ROOT_TOKEN: secret({
    minLength: 20,
    optional: true,
    about: 'First start: access token of `root`; by default a random one',
  }),
  MONGODB_ENGINE: oneOf(mongodbEngines, {
    default: 'auto',
    about: 'Database of a new data folder: `mongod` from the PATH, or the embedded server; `auto` prefers the first',
  }),
  MONGODB_URI: url({
    protocols: ['mongodb', 'mongodb+srv'],
    optional: true,
    about: 'External MongoDB, instead of one that is started',
  }),
  NATS_URL: url({
    protocols: ['nats', 'tls'],
    optional: true,
    about: 'External NATS with JetStream, instead of one that is started',
  }),
  REDIS_URL: url({
    protocols: ['redis', 'rediss'],
    optional: true,
    about: 'External Redis, instead of one that is started',
  }),
  ROLES: list({
    of: ['api', 'worker'],
    default: ['api', 'worker'],
    about: 'Roles of the services: `api` answers operations, `worker` runs queues and periodic jobs',
  }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: '`community` disables what the v4 interface restricts to higher tiers',
  }),
  SECRET_KEY: secret({
    minLength: 32,
    optional: true,
    about:
      'Encrypts stored credentials; by default one is made in the data folder. If you lose it, they cannot be recovered',
  }),
  SECRET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'While `SECRET_KEY` is rotated: the other key, which is accepted as well',
  }),
  LOG_LEVEL: oneOf(logLevels, {
    optional: true,
    about: 'Minimum level of the log files, by default `info`, and of the console, by default `warn`',
  }),
  STOP_TIMEOUT_SECONDS: seconds({ default: 20, min: 1, about: 'Maximum time for open requests when the server stops' }),
  PROCESSES: int({
    optional: true,
    min: 2,
    max: 64,
    about: 'Processes of gateway and services; by default one for each core if there are 512 MB of memory for each',
  }),
  HANG_TIMEOUT_SECONDS: seconds({
    default: 10,
    min: 1,
    about: 'A process that does not answer for this time is restarted',
  }),
};
