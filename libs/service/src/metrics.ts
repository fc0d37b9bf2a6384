import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one service: its operations by outcome, and its process. */
export function serviceMetrics(service: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const operations = new Histogram({
    name: 'moothall_operation_duration_seconds',
    help: 'Time a service took to answer an operation',
    labelNames: ['operation', 'outcome'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const deadLetters = new Counter({
    name: 'moothall_dead_letters_total',
    help: 'Events that a handler gave up and set aside',
    labelNames: ['handler'],
    registers: [registry],
  });
  const missingIndexes = new Gauge({
    name: 'moothall_missing_indexes',
    help: 'Indexes that could not be built; the log has the reasons',
    registers: [registry],
  });
  return {
    onIndexesBuilt: (missing: number) => missingIndexes.set(missing),
    onDeadLetter: (handler: string) => deadLetters.inc({ handler }),
    onFinished: (operation: string, outcome: string, seconds: number) =>
      operations.observe({ operation, outcome }, seconds),
    page: async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() }),
  };
}
