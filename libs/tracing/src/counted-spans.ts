import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Limit of spans that wait for a collector; further ones are lost. */
const mostWaiting = 2_048;

/**
 * Sends spans to a collector, in batches. If it is slow or unavailable they are lost, and counted: nothing waits for
 * it, and at most {@link mostWaiting} of them are stored, besides the batch in transit.
 */
export class CountedSpans implements SpanProcessor {
  private readonly batches: BatchSpanProcessor;
  private waiting = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly onLost: (count: number) => void,
  ) {
    const counting: SpanExporter = {
      export: (spans, tell) => {
        this.waiting -= spans.length;
        exporter.export(spans, (result) => {
          // 0 is success.
          if (result.code !== 0) onLost(spans.length);
          tell(result);
        });
      },
      shutdown: () => this.exporter.shutdown(),
    };
    this.batches = new BatchSpanProcessor(counting, { maxQueueSize: mostWaiting, scheduledDelayMillis: 1_000 });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & 1) === 0) return;
    if (this.waiting >= mostWaiting) {
      this.onLost(1);
      return;
    }
    this.waiting += 1;
    this.batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.batches.shutdown();
  }
}
