import { bool, int, oneOf, type SettingValues, string, url } from '@moothall/config';

/**
 * Whether AsyncLocalStorage is free in this Node. Before 24 it calls hooks for every promise, which costs some per
 * cent of the process.
 */
export const followsForNothing = Number.parseInt(process.versions.node, 10) >= 24;

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof samplers)[number];

/** How requests are followed; for every process. */
export const tracingSettings = {
  FOLLOW_REQUESTS: bool({
    optional: true,
    about:
      'Add request IDs to events, jobs and log lines; by default on from Node 24, where it costs nothing, and with traces',
  }),
  SLOW_OPERATION_MS: int({
    default: 5_000,
    min: 0,
    about: 'Operations, events and jobs that take longer are logged with what they waited for; 0 logs none',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({
    protocols: ['http', 'https'],
    optional: true,
    about: 'OpenTelemetry collector (OTLP over HTTP), as `http://collector:4318`; without it there are no traces',
  }),
  OTEL_TRACES_SAMPLER: oneOf(samplers, {
    default: 'parentbased_always_on',
    about: 'Sampler of traces; `parentbased_…` follows the `traceparent` of clients',
  }),
  OTEL_TRACES_SAMPLER_ARG: string({
    default: '1',
    pattern: /^(0|1|0?\.\d{1,9})$/,
    form: 'a number from 0 to 1',
    about: 'Ratio of sampled requests',
  }),
};

export type TracingSettings = SettingValues<typeof tracingSettings>;
