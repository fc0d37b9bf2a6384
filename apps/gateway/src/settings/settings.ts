import { bool, bytes, directory, int, list, oneOf, type SettingValues, seconds, string, url } from '@moothall/config';
import { natsSettings, signedUrlSettings, siteSettings, uploadSettings } from '@moothall/messaging';
import { tracingSettings } from '@moothall/tracing';

/** Settings of the gateway, under the names of their environment variables. */
export const gatewaySettings = {
  PORT: int({ default: 8080, min: 0, max: 65535, about: 'Port of HTTP; 0 takes a free one' }),
  HOST: string({ default: '0.0.0.0', about: 'Interface of HTTP' }),
  SSH_PORT: int({
    optional: true,
    min: 0,
    max: 65535,
    about: 'Port of git over SSH; without it there is no SSH; 0 takes a free one',
  }),
  SSH_HOST_KEY_DIR: directory({
    optional: true,
    about: 'Folder of the SSH host keys; without it there is no SSH',
  }),
  SSH_MAX_CONNECTIONS: int({ default: 1000, min: 1, about: 'Maximum number of SSH connections' }),
  SSH_SHARE: int({
    default: 100,
    min: 1,
    about: 'Maximum number of SSH connections for one user or deploy key, or one address before the sign-in',
  }),
  EXTERNAL_URL: url({ about: 'Address of the gateway for clients, used in links' }),
  ...siteSettings,
  ...natsSettings,
  REDIS_URL: url({ about: 'Redis for queues and limits' }),
  ...signedUrlSettings,
  DATA_PORT_HOST: string({ default: '127.0.0.1', about: 'Interface of the internal data port' }),
  DATA_PORT: int({ default: 0, min: 0, max: 65535, about: 'Internal data port; 0 takes a free one' }),
  DATA_PORT_ADVERTISED_HOST: string({ optional: true, about: 'Host name of the data port for the services' }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'Port of metrics, `/-/metrics` and `/-/health`; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'Interface of metrics' }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: '`community` disables what the v4 interface restricts to higher tiers',
  }),
  TRUST_PROXY: list({
    optional: true,
    about: 'Proxies (addresses or networks) whose `X-Forwarded-For` is trusted; `true` trusts all',
  }),
  MAX_BODY: bytes({ default: 7 * 1024 * 1024, about: 'Maximum size of a JSON or form body, not counting escapes' }),
  MAX_BODIES: bytes({
    default: 256 * 1024 * 1024,
    about: 'Maximum size of all bodies in memory; one caller has half of it at most',
  }),
  UPLOAD_DIR: directory({
    optional: true,
    mustExist: true,
    mustBeWritable: true,
    about:
      'Folder for uploads before a service takes them; by default in the temporary folder of the system. A service on the same machine moves the file if its OBJECT_STORAGE_DIR is on the same file system. Do not share it with gateways on other machines: they would delete the files',
  }),
  ...uploadSettings,
  SLOW_REQUESTS_PER_CALLER: int({
    default: 6,
    min: 1,
    about: 'Slow requests of one caller at the same time; further requests of the caller wait',
  }),
  HEADERS_TIMEOUT: seconds({ default: 60, min: 1, about: 'Maximum time for a client to send its headers' }),
  BODY_LEAST_RATE: bytes({
    default: 1024,
    about: 'Minimum bytes a second of a request body; slower requests are aborted',
  }),
  BODY_RATE_SPAN: seconds({ default: 20, min: 1, about: 'Time over which these rates are measured' }),
  ANSWER_IDLE_TIMEOUT: seconds({
    default: 60,
    min: 1,
    about: 'Maximum time in which a client reads nothing of an answer',
  }),
  ANSWER_LEAST_RATE: bytes({
    default: 1024,
    about: 'Minimum bytes a second that a client reads of an answer',
  }),
  RESETTABLE: bool({ default: false, about: 'Administrators may reset all data (`/-/reset`); set by `--ephemeral`' }),
  DRAIN_TIMEOUT: seconds({ default: 10, about: 'Maximum time for open requests when the gateway stops' }),
  FOLLOW_REQUESTS: tracingSettings.FOLLOW_REQUESTS,
  OTEL_EXPORTER_OTLP_ENDPOINT: tracingSettings.OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_TRACES_SAMPLER: tracingSettings.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: tracingSettings.OTEL_TRACES_SAMPLER_ARG,
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
    default: 'info',
    about: 'Minimum log level',
  }),
};

export type GatewaySettings = SettingValues<typeof gatewaySettings>;

/** Injection token of the gateway's settings. */
export const gatewaySettingsToken = Symbol('gateway settings');
