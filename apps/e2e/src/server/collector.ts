import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  service: string;
  name: string;
  /** OTLP span kinds: 2 server, 3 client, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number>;
}

interface Value {
  stringValue?: string;
  intValue?: number;
}

const valuesOf = (attributes: { key: string; value: Value }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

/**
 * An OpenTelemetry collector: receives traces by OTLP over HTTP, as JSON. `GET /<trace id>` answers the spans of a trace.
 */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  private readonly byTrace = new Map<string, CollectedSpan[]>();
  /** All received bodies, unparsed. */
  readonly bodies: string[] = [];
  /** Whether it accepts requests without answering. */
  isHanging = false;
  private readonly server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify(this.byTrace.get(request.url!.slice(1)) ?? []));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (this.isHanging) return;
    this.take(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });

  private take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { spans } of scopeSpans)
        for (const span of spans) this.add({ ...span, service, attributes: valuesOf(span.attributes) });
    }
  }

  private add(span: CollectedSpan): void {
    this.spans.push(span);
    const trace = this.byTrace.get(span.traceId);
    if (trace) trace.push(span);
    else this.byTrace.set(span.traceId, [span]);
  }

  /** @returns its URL, for OTEL_EXPORTER_OTLP_ENDPOINT */
  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
