import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { CountedSpans } from './counted-spans';

const span = (traceFlags = 1) => ({ spanContext: () => ({ traceFlags }), resource: {} }) as unknown as ReadableSpan;

type Tell = Parameters<SpanExporter['export']>[1];

/** An exporter that answers on request of a test. */
class Held implements SpanExporter {
  readonly batches: { count: number; tell: Tell }[] = [];

  export(spans: ReadableSpan[], tell: Tell): void {
    this.batches.push({ count: spans.length, tell });
  }

  async shutdown(): Promise<void> {}
}

function start() {
  const exporter = new Held();
  let lost = 0;
  const spans = new CountedSpans(exporter, (count) => {
    lost += count;
  });
  return { exporter, spans, lost: () => lost };
}

it('retains a limited number for a collector that does not answer, and counts the others', () => {
  const { exporter, spans, lost } = start();
  for (let i = 0; i < 10_000; i++) spans.onEnd(span());
  expect(exporter.batches.map(({ count }) => count)).toEqual([512]);
  expect(lost()).toBe(10_000 - 512 - 2_048);
});

it('counts spans that the collector refuses', () => {
  const { exporter, spans, lost } = start();
  for (let i = 0; i < 512; i++) spans.onEnd(span());
  exporter.batches[0]!.tell({ code: 1, error: new Error('no') });
  expect(lost()).toBe(512);
});

it('loses no accepted spans, and omits unsampled ones', async () => {
  const { exporter, spans, lost } = start();
  for (let i = 0; i < 512; i++) spans.onEnd(span());
  spans.onEnd(span(0));
  exporter.batches[0]!.tell({ code: 0 });
  spans.onEnd(span());
  const flushed = spans.forceFlush();
  exporter.batches[1]!.tell({ code: 0 });
  await flushed;
  expect([exporter.batches.map(({ count }) => count), lost()]).toEqual([[512, 1], 0]);
});
