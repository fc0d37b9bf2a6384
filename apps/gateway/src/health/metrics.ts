import { eventLoopLookMs } from '@moothall/processes';
import { Injectable } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Metrics of the process, shared by all gateways in it. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: eventLoopLookMs });

/** Prometheus metrics of the gateway. */
@Injectable()
export class GatewayMetrics {
  private readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'moothall_request_duration_seconds',
    help: 'Time until a request was answered, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.01, 0.05, 0.2, 1, 5, 30],
    registers: [this.registry],
  });

  readonly spansLost = new Counter({
    name: 'moothall_spans_lost_total',
    help: 'Spans of traces that did not reach the collector, since it was slow or away',
    labelNames: ['service'],
    registers: [this.registry],
  });

  answered(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  /** @returns the metrics of this gateway and of the process, in the text format of Prometheus */
  async shown(): Promise<{ contentType: string; body: string }> {
    const all = Registry.merge([ofProcess, this.registry]);
    return { contentType: all.contentType, body: await all.metrics() };
  }
}
