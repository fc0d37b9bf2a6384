import type { QueueCount } from '@moothall/jobs';
import { eventLoopLookMs, MetricsPort } from '@moothall/processes';
import { threadFailures } from '@moothall/workers';
import { Logger } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Of this process, whichever services are in it. */
const registry = new Registry();
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopLookMs });

const operations = new Histogram({
  name: 'moothall_operation_duration_seconds',
  help: 'Time a service took to answer an operation',
  labelNames: ['service', 'operation', 'outcome'],
  buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [registry],
});
const deadLetters = new Counter({
  name: 'moothall_dead_letters_total',
  help: 'Events that became dead letters after failed retries',
  labelNames: ['service', 'handler'],
  registers: [registry],
});

const jobs = new Histogram({
  name: 'moothall_job_duration_seconds',
  help: 'Time that a try of a job took, by queue',
  labelNames: ['service', 'queue', 'outcome'],
  buckets: [0.005, 0.05, 0.5, 2, 10, 60, 600],
  registers: [registry],
});
interface Counted {
  service: string;
  count: () => Promise<readonly QueueCount[]>;
}
const counted = new Set<Counted>();
/** Every process reports the queues of all processes: read them as `max by (queue, state)`. */
registry.registerMetric(
  new Gauge({
    name: 'moothall_queue_jobs',
    help: 'Jobs of a queue, of all processes, by what they wait for',
    labelNames: ['service', 'queue', 'state'],
    registers: [],
    async collect() {
      const shown = await Promise.all(
        [...counted].map(async ({ service, count }) => (await count()).map((one) => ({ service, ...one }))),
      );
      this.reset();
      for (const { service, queue, jobs } of shown.flat())
        for (const [state, count] of Object.entries(jobs)) this.set({ service, queue, state }, count);
    },
  }),
);

const slow = new Counter({
  name: 'moothall_slow_total',
  help: 'Operations, events and jobs that took longer than SLOW_OPERATION_MS, also those that the log does not tell of',
  labelNames: ['service', 'kind'],
  registers: [registry],
});
const spansLost = new Counter({
  name: 'moothall_spans_lost_total',
  help: 'Spans of traces that did not reach the collector, since it was slow or away',
  labelNames: ['service'],
  registers: [registry],
});
const missingIndexes = new Gauge({
  name: 'moothall_missing_indexes',
  help: 'Indexes that could not be built; the log has the reasons',
  labelNames: ['service'],
  registers: [registry],
});
registry.registerMetric(
  new Counter({
    name: 'moothall_thread_failures_total',
    help: 'Threads that could not start, could not load their module, or failed between two tasks; the log has the reasons',
    labelNames: ['module'],
    registers: [],
    collect() {
      this.reset();
      for (const [module, count] of threadFailures) this.inc({ module }, count);
    },
  }),
);

const turns = new Counter({
  name: 'moothall_sweeps_total',
  help: 'Runs of periodic jobs',
  labelNames: ['service', 'sweep', 'outcome'],
  registers: [registry],
});
/** The process that runs the periodic jobs reports when each of them last succeeded and last failed. */
const lastTurn = new Gauge({
  name: 'moothall_sweep_last_timestamp_seconds',
  help: 'When the last turn with this outcome ended',
  labelNames: ['service', 'sweep', 'outcome'],
  registers: [registry],
});
const lastTook = new Gauge({
  name: 'moothall_sweep_last_duration_seconds',
  help: 'How long the last turn took',
  labelNames: ['service', 'sweep'],
  registers: [registry],
});
const leading = new Gauge({
  name: 'moothall_sweeps_leading',
  help: 'Whether this process does what one process of the service does for all',
  labelNames: ['service'],
  registers: [registry],
});

/**
 * Prometheus metrics of one service: operations and jobs by outcome, queues, slow work, dead letters, missing
 * indexes, and periodic jobs.
 */
export const metricsOf = (service: string) => ({
  onIndexesBuilt: (missing: number) => missingIndexes.set({ service }, missing),
  onDeadLetter: (handler: string) => deadLetters.inc({ service, handler }),
  onFinished: (operation: string, outcome: string, seconds: number) =>
    operations.observe({ service, operation, outcome }, seconds),
  onJobEnded: (queue: string, outcome: string, seconds: number) => jobs.observe({ service, queue, outcome }, seconds),
  /** @returns a function that stops it */
  showQueues: (count: Counted['count']) => {
    const one = { service, count };
    counted.add(one);
    return () => counted.delete(one);
  },
  onSlow: (kind: string) => slow.inc({ service, kind }),
  onSpansLost: (count: number) => spansLost.inc({ service }, count),
  onTurn: (sweep: string, outcome: string, seconds: number) => {
    turns.inc({ service, sweep, outcome });
    lastTurn.setToCurrentTime({ service, sweep, outcome });
    lastTook.set({ service, sweep }, seconds);
  },
  onLeading: (isLeading: boolean) => leading.set({ service }, Number(isLeading)),
});

/**
 * Serves the metrics and health of this process.
 * @param isReady whether its services answer, or are standby
 */
export function metricsPort(isReady: () => boolean): MetricsPort {
  const log = new Logger('metrics');
  const readiness = { true: { status: 200, body: 'ok' }, false: { status: 503, body: 'failed' } };
  return new MetricsPort((error) => log.error(error))
    .show('/-/metrics', async () => ({ contentType: registry.contentType, body: await registry.metrics() }))
    .show('/-/liveness', async () => ({ contentType: 'text/plain', body: 'ok' }))
    .show('/-/readiness', async () => ({ contentType: 'text/plain', ...readiness[`${isReady()}`] }));
}
