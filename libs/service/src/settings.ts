import { bool, int, list, oneOf, seconds, secret, string, url } from '@moothall/config';
import { eventSettings, natsSettings, ticketSettings } from '@moothall/messaging';
import { tracingSettings } from '@moothall/tracing';

/** Settings that every service reads, under the names of their environment variables. */
export const serviceSettings = {
  MONGODB_URI: url({ about: 'MongoDB of all services; each has a database of its own there' }),
  MONGODB_PREFIX: string({ default: 'moothall', about: 'Names of the databases begin with it' }),
  ...natsSettings,
  ...eventSettings,
  REDIS_URL: url({ about: 'Redis for queues and limits' }),
  ROLES: list({
    of: ['api', 'worker'],
    default: ['api', 'worker'],
    about: 'What this process does: answer operations, work on queues and whatever is done again and again',
  }),
  EXTERNAL_URL: url({ about: 'Address under which clients reach the gateway, for links in answers' }),
  SSH_PORT: int({
    default: 22,
    min: 1,
    max: 65535,
    about: 'Port under which clients reach git over SSH, for links in answers',
  }),
  REGISTRY_EXTERNAL_URL: url({
    optional: true,
    protocols: ['http', 'https'],
    about:
      'Address under which clients reach the container registry; names of images of projects and jobs begin with its host',
  }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: 'community leaves out what the v4 interface restricts to higher tiers',
  }),
  SECRET_KEY: secret({ minLength: 32, about: 'Encrypts stored credentials; losing it loses them' }),
  SECRET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'While `SECRET_KEY` is changed: the other one, by which credentials are still, or already, encrypted',
  }),
  ...ticketSettings,
  DATA_PORT_HOST: string({ default: '127.0.0.1', about: 'Interface of the internal data port' }),
  DATA_PORT: int({ default: 0, min: 0, max: 65535, about: 'Internal data port; 0 takes a free one' }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'Port of metrics, `/-/metrics`; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'Interface of metrics' }),
  DATA_PORT_ADVERTISED_HOST: string({ optional: true, about: 'Host name under which the gateway reaches it' }),
  TRANSFER_IDLE_TIMEOUT: seconds({
    default: 60,
    min: 1,
    about: 'Transfers of which nothing moves for so long, because nobody sends or nobody reads, are given up',
  }),
  RECOVERY_PACE: int({
    default: 100,
    min: 1,
    max: 100,
    about:
      'Percentage of the usual pauses after which what failed is tried again, and what was lost or left is looked for; less costs processors, and takes a process that is only slow for one that is gone',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
    default: 'info',
    about: 'Least level logged',
  }),
  ...tracingSettings,
  CHECK_OUTPUT: bool({ default: false, about: 'Hold every answer against its contract; for tests' }),
};
