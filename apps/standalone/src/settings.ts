import { directory, durabilitySettings, int, list, oneOf, seconds, secret, string, url } from '@moothall/config';
import { mongodbEngines } from '@moothall/infrastructure';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** What `npm start` itself reads. Every other variable goes to the services as it is, which check their own. */
export const standaloneSettings = {
  PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'port of the HTTP interface; unless set 8080, or a free one where that is taken; 0 takes a free one',
  }),
  HOST: string({ default: '127.0.0.1', about: 'interface to listen on; `0.0.0.0` for all' }),
  SSH_PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'port of git over SSH; unless set 2222, or a free one where that is taken; 0 takes a free one',
  }),
  REGISTRY_PORT: int({
    min: 0,
    max: 65535,
    optional: true,
    about: 'port of the container registry; unless set 5050, or a free one where that is taken; 0 takes a free one',
  }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'port of metrics of all processes, for Prometheus; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'interface of metrics' }),
  EXTERNAL_URL: url({
    protocols: ['http', 'https'],
    optional: true,
    about: 'address under which clients reach the server, for links in answers; `http://<HOST>:<PORT>` unless set',
  }),
  MOOTHALL_DATA_DIR: directory({ default: './data', about: 'everything that is kept' }),
  ...durabilitySettings,
  ROOT_PASSWORD: secret({ minLength: 8, optional: true, about: 'first start: password of `root`, else one is made' }),
  ROOT_TOKEN: secret({ minLength: 20, optional: true, about: 'first start: access token of `root`, else one is made' }),
  MONGODB_ENGINE: oneOf(mongodbEngines, {
    default: 'auto',
    about: 'what a data folder begins with: a `mongod` on the PATH, or the embedded server; `auto` prefers the first',
  }),
  MONGODB_URI: url({
    protocols: ['mongodb', 'mongodb+srv'],
    optional: true,
    about: 'a MongoDB that runs already; none is started then',
  }),
  NATS_URL: url({ protocols: ['nats', 'tls'], optional: true, about: 'a NATS with JetStream; none is started then' }),
  REDIS_URL: url({ protocols: ['redis', 'rediss'], optional: true, about: 'a Redis; none is started then' }),
  ROLES: list({
    of: ['api', 'worker'],
    default: ['api', 'worker'],
    about: 'what the services do: answer operations, work on queues and whatever is done again and again',
  }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: '`community` leaves out what the v4 interface restricts to higher tiers',
  }),
  SECRET_KEY: secret({
    minLength: 32,
    optional: true,
    about: 'encrypts stored credentials; one is made in the data folder unless set',
  }),
  SECRET_KEY_ACCEPTED: secret({
    minLength: 32,
    optional: true,
    about: 'while `SECRET_KEY` is changed: the other one, by which credentials are still, or already, encrypted',
  }),
  LOG_LEVEL: oneOf(logLevels, {
    optional: true,
    about: 'least level of the logs (`info` unless set) and of what the console shows of them (`warn` unless set)',
  }),
  STOP_TIMEOUT_SECONDS: seconds({ default: 20, min: 1, about: 'longest wait for requests under way when stopping' }),
  PROCESSES: int({
    optional: true,
    min: 2,
    max: 64,
    about: 'processes of gateway and services; as many as cores unless set, as far as there are 512 MB for each',
  }),
  HANG_TIMEOUT_SECONDS: seconds({
    default: 10,
    min: 1,
    about: 'a process that answers nothing for so long is started again',
  }),
};
