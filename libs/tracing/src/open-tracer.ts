import { Logger } from '@nestjs/common';
import type { TracingSettings } from './settings';
import type { Tracer } from './span';
import { traceRedis } from './trace-redis';

/**
 * The exporter of spans; undefined if no collector is set, and then nothing of OpenTelemetry is loaded.
 * @param onLost called with the number of lost spans
 */
export function openTracer(
  service: string,
  settings: Pick<TracingSettings, `OTEL_${string}` & keyof TracingSettings>,
  onLost: (count: number) => void,
): Tracer | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = settings;
  if (!endpoint) return undefined;
  const { otlpTracer }: typeof import('./otlp-tracer') = require('./otlp-tracer');
  traceRedis();
  const ratio = Number(settings.OTEL_TRACES_SAMPLER_ARG);
  return otlpTracer({ service, endpoint, sampler, ratio, onLost: loggedOnce(onLost, new URL(endpoint).host) });
}

/** Logs the first loss, as after a wrong address; metrics count the rest. */
function loggedOnce(onLost: (count: number) => void, host: string): (count: number) => void {
  let isTold = false;
  return (count) => {
    if (!isTold) new Logger('traces').warn(`spans do not reach ${host}; moothall_spans_lost_total counts them`);
    isTold = true;
    onLost(count);
  };
}
