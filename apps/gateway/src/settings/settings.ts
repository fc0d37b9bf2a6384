import {
  bool,
  bytes,
  directory,
  int,
  list,
  oneOf,
  type Setting,
  type SettingValues,
  seconds,
  string,
  url,
} from '@moothall/config';
import { operations, type RateLimit } from '@moothall/contracts';
import { natsSettings, siteSettings, ticketSettings, uploadSettings } from '@moothall/messaging';
import { tracingSettings } from '@moothall/tracing';

/** Settings of the gateway, under the names of their environment variables. */
export const gatewaySettings = {
  PORT: int({ default: 8080, min: 0, max: 65535, about: 'Port of HTTP; 0 takes a free one' }),
  HOST: string({ default: '0.0.0.0', about: 'Interface of HTTP' }),
  SSH_PORT: int({
    optional: true,
    min: 0,
    max: 65535,
    about: 'Port of git over SSH; none unless set, 0 takes a free one',
  }),
  SSH_HOST_KEY_DIR: directory({
    optional: true,
    about: 'Where the host keys of SSH are kept; without it there is no SSH',
  }),
  SSH_MAX_CONNECTIONS: int({ default: 1000, min: 1, about: 'Connections of SSH at the same time' }),
  SSH_SHARE: int({
    default: 100,
    min: 1,
    about: 'How many of them one user or deploy key has, or one address for which nobody has signed in yet',
  }),
  EXTERNAL_URL: url({ about: 'Address under which clients reach the gateway, for links in answers' }),
  ...siteSettings,
  ...natsSettings,
  REDIS_URL: url({ about: 'Redis for queues and limits' }),
  ...ticketSettings,
  DATA_PORT_HOST: string({ default: '127.0.0.1', about: 'Interface of the internal data port' }),
  DATA_PORT: int({ default: 0, min: 0, max: 65535, about: 'Internal data port; 0 takes a free one' }),
  DATA_PORT_ADVERTISED_HOST: string({ optional: true, about: 'Host name under which services reach it' }),
  METRICS_PORT: int({
    default: 0,
    min: 0,
    max: 65535,
    about: 'Port of metrics, `/-/metrics` and `/-/health`; 0 takes a free one',
  }),
  METRICS_HOST: string({ default: '127.0.0.1', about: 'Interface of metrics' }),
  EDITION: oneOf(['community', 'enterprise'], {
    default: 'enterprise',
    about: 'community leaves out what the v4 interface restricts to higher tiers',
  }),
  TRUST_PROXY: list({
    optional: true,
    about: 'Proxies (addresses or networks) whose X-Forwarded-For is believed; `true` for whoever connects',
  }),
  MAX_BODY: bytes({ default: 7 * 1024 * 1024, about: 'Largest body of JSON or form parameters, not counting escapes' }),
  MAX_BODIES: bytes({
    default: 256 * 1024 * 1024,
    about: 'What bodies of parameters take together until they are answered; one caller has half of it at most',
  }),
  UPLOAD_DIR: directory({
    optional: true,
    mustExist: true,
    mustBeWritable: true,
    about:
      'Files of clients until services have them, below the temporary folder of the system unless set; services on the ' +
      'same machine take them over without a copy where their OBJECT_STORAGE_DIR is on the same file system; not to be ' +
      'shared with gateways elsewhere, which take its files for those of a process that is gone',
  }),
  ...uploadSettings,
  SLOW_REQUESTS_PER_CALLER: int({
    default: 6,
    min: 1,
    about: 'While so many requests of one caller take long, further ones of theirs wait',
  }),
  HEADERS_TIMEOUT: seconds({ default: 60, min: 1, about: 'Clients that send their headers slower are cut off' }),
  BODY_LEAST_RATE: bytes({ default: 1024, about: 'Bodies that bring fewer bytes a second are given up' }),
  BODY_RATE_SPAN: seconds({ default: 20, min: 1, about: 'Over how long that is measured' }),
  ANSWER_IDLE_TIMEOUT: seconds({
    default: 60,
    min: 1,
    about: 'Answers of which the client takes nothing for so long are given up',
  }),
  ANSWER_LEAST_RATE: bytes({
    default: 1024,
    about: 'The same for answers of which the client takes fewer bytes a second, over that time',
  }),
  RESETTABLE: bool({ default: false, about: 'Administrators may set all data back; set by `--ephemeral`' }),
  DRAIN_TIMEOUT: seconds({ default: 10, about: 'How long requests under way may take once the gateway is to stop' }),
  FOLLOW_REQUESTS: tracingSettings.FOLLOW_REQUESTS,
  OTEL_EXPORTER_OTLP_ENDPOINT: tracingSettings.OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_TRACES_SAMPLER: tracingSettings.OTEL_TRACES_SAMPLER,
  OTEL_TRACES_SAMPLER_ARG: tracingSettings.OTEL_TRACES_SAMPLER_ARG,
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal'], {
    default: 'info',
    about: 'Least level logged',
  }),
};

/** One for each limit that a contract declares: how many requests a minute, or whatever its span is, one caller may make. */
export const rateLimitSettings: Record<string, Setting<number>> = Object.fromEntries(
  operations.flatMap(({ limit }) => (limit ? [[limit.setting, rateLimit(limit)]] : [])),
);

function rateLimit({ requests, seconds: span, about }: RateLimit): Setting<number> {
  return int({
    default: requests,
    min: 0,
    about: `${about} in ${span} seconds, by one caller on one target; 0 is no limit`,
  });
}

export type GatewaySettings = SettingValues<typeof gatewaySettings>;

/** Token of the gateway's settings. */
export const gatewaySettingsToken = Symbol('gateway settings');
