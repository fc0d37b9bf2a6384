import { setTimeout as wait } from 'node:timers/promises';
import { type Context, SpanKind as Kind, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { CountedSpans } from './counted-spans';
import type { SamplerName } from './settings';
import type { Span, SpanKind, Tracer } from './span';
import { readTraceparent, writeTraceparent } from './traceparent';

export interface OtlpOptions {
  /** The name of the service. */
  service: string;
  /** Address of a collector, to which the paths of OTLP are added. */
  endpoint: string;
  sampler: SamplerName;
  /** From 0 to 1, for samplers by ratio. */
  ratio: number;
  /** Spans did not reach the collector. */
  onLost: (count: number) => void;
}

/** How long a stopping process waits for a slow collector. */
const farewellMs = 2_000;

const kinds: Record<SpanKind, Kind> = { server: Kind.SERVER, client: Kind.CLIENT, consumer: Kind.CONSUMER };

/** Sends spans by OTLP over HTTP, as JSON. This file is loaded only if traces are enabled. */
export function otlpTracer({ service, endpoint, sampler, ratio, onLost }: OtlpOptions): Tracer {
  const base = endpoint.endsWith('/') ? endpoint : `${endpoint}/`;
  const exporter = new OTLPTraceExporter({ url: `${base}v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'moothall' }),
    sampler: samplers[sampler](ratio),
    spanProcessors: [new CountedSpans(exporter, onLost)],
  });
  const tracer = provider.getTracer('moothall');
  const now = systemClock();
  return {
    start({ kind, name, attributes = {}, parent }): Span {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, startTime: now() }, within(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: writeTraceparent(traceId, spanId, traceFlags),
        end({ name: later, attributes: more, error } = {}) {
          if (later) span.updateName(later);
          if (more) span.setAttributes(more);
          if (error) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
          span.end(now());
        },
      };
    },
    async stop() {
      await Promise.race([provider.shutdown().catch(() => undefined), wait(farewellMs, undefined, { ref: false })]);
    },
  };
}

/** How far the system's clock may run ahead of the monotonic one, or behind, in milliseconds. */
const driftMs = 5;

/**
 * Milliseconds since 1970, with the resolution of the monotonic clock. The system's clock has whole milliseconds, which
 * would change the order of steps.
 */
function systemClock(): () => number {
  let origin = performance.timeOrigin;
  return () => {
    const elapsed = performance.now();
    const drift = Date.now() - (origin + elapsed);
    if (Math.abs(drift) > driftMs) origin += drift;
    return origin + elapsed;
  };
}

function within(parent: string | undefined): Context {
  const read = readTraceparent(parent);
  return read ? trace.setSpanContext(ROOT_CONTEXT, { ...read, isRemote: true }) : ROOT_CONTEXT;
}

const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};
