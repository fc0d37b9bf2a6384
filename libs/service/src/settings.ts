import { bool, int, list, oneOf, seconds, secret, string, url } from '@moothall/config';
import { eventSettings, natsSettings, signedUrlSettings } from '@moothall/messaging';
import { tracingSettings } from '@moothall/tracing';

/** Settings of services that store something. */
const storeSettings = {
  REDIS_URL: url({ about: 'Redis for queues and limits' }),
  MONGODB_URI: url({ about: 'MongoDB of all services; each has its own database' }),
  MONGODB_PREFIX: string({ default: 'moothall', about: 'Prefix of the database names' }),
  SECRET_KEY: secret({ minLength: 32, about: 'Encrypts stored credentials. If you lose it, they cannot be recovered' }),
  SECRET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'While `SECRET_KEY` is rotated: the other key, which is accepted as well',
  }),
};

/** Settings that every service reads, under the names of their environment variables. */
export const statelessSettings = {
  ...natsSettings,
  ...eventSettings,
  ROLES: list({
    of: ['api', 'worker'],
    default: ['api', 'worker'],
    about: 'Roles of this process: `api` answers operations, `worker` runs queues and periodic jobs',
  }),
  EXTERNAL_URL: url({ about: 'Address of the gateway for clients, used in links' }),
  SSH_PORT: int({
    default: 22,
    min: 1,
    max: 65535,
    about: 'Port of git over SSH for clients, used in links',
  }),
  REGISTRY_EXTERNAL_URL: url({
    optional: true,
    protocols: ['http', 'https'],
    about: 'Address of the container registry for clients; image names begin with its host',
  }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: '`community` disables what the v4 interface restricts to higher tiers',
  }),
  ...signedUrlSettings,
  DATA_PORT_HOST: string({ default: '127.0.0.1', about: 'Interface of the internal data port' }),
  DATA_PORT: int({ default: 0, min: 0, max: 65535, about: 'Internal data port; 0 takes a free one' }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'Port of metrics, `/-/metrics`; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'Interface of metrics' }),
  DATA_PORT_ADVERTISED_HOST: string({ optional: true, about: 'Host name of the data port for the gateway' }),
  TRANSFER_IDLE_TIMEOUT: seconds({
    default: 60,
    min: 1,
    about: 'Transfers are aborted if no byte moves for this time',
  }),
  RECOVERY_PACE: int({
    default: 100,
    min: 1,
    max: 100,
    about:
      'Percentage of the usual delays of retries and of periodic recovery jobs. Less recovers faster, costs processor time, and may take a slow process for a dead one',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
    default: 'info',
    about: 'Minimum log level',
  }),
  ...tracingSettings,
  CHECK_OUTPUT: bool({ default: false, about: 'Validate every answer against its contract; for tests' }),
};

export const serviceSettings = { ...storeSettings, ...statelessSettings };
