import { Logger } from '@nestjs/common';
import { LineLimit } from './line-limit';
import { errorWord, type SpanStart, type Tracer } from './span';
import { type Origin, Task, withinTask } from './task';

export type Kind = 'operation' | 'event' | 'job' | 'transfer';

export interface WorksOptions {
  /** Longer work is logged, except transfers, which depend on clients; 0 disables it. */
  slowMs?: number | undefined;
  /** Whether tasks are traced. */
  isFollowing?: boolean | undefined;
  /** Whether everything is logged, at the level `debug`. */
  isVerbose?: boolean | undefined;
  /** Exports tasks as spans. */
  tracer?: Tracer | undefined;
  /** For metrics. */
  onSlow?: ((kind: Kind) => void) | undefined;
}

/** @see https://opentelemetry.io/docs/specs/semconv/ for the names */
function spanOf(kind: Kind, name: string, { requestId, traceparent: parent }: Origin): SpanStart {
  const request = requestId ? { 'moothall.request_id': requestId } : {};
  if (kind === 'operation')
    return { kind: 'server', name, attributes: { 'rpc.system': 'nats', 'rpc.method': name, ...request }, parent };
  if (kind === 'transfer') return { kind: 'server', name: `transfer ${name}`, attributes: request, parent };
  const attributes = {
    'messaging.system': kind === 'job' ? 'bullmq' : 'nats',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    ...request,
  };
  return { kind: 'consumer', name: `process ${name}`, attributes, parent };
}

/** Many slow requests must not flood the log. */
const linesPerSecond = 5;

/** The start of work: it is traced, and logged if it was slow. */
export class Works {
  private readonly log = new Logger('slow');
  private readonly done = new Logger('done');
  private readonly slowLines = new LineLimit(linesPerSecond, (line) => this.log.warn(line));

  constructor(private readonly options: WorksOptions = {}) {}

  get isFollowing(): boolean {
    return (this.options.isFollowing ?? false) || this.options.tracer !== undefined;
  }

  /** Runs it as a task, which is current in all its calls. Without a log line. */
  as<T>(origin: Origin, work: () => T): T {
    return this.isFollowing ? withinTask(new Task(origin, this.options.tracer), work) : work();
  }

  /**
   * @param name of the operation, the queue or the position in the stream: no input of a caller, since it is logged
   * @param errorOf the failure in a result, if the work reports failures that way; undefined without one
   */
  async do<T>(
    kind: Kind,
    name: string,
    origin: Origin,
    work: () => Promise<T>,
    errorOf: (result: T) => string | undefined = () => undefined,
  ): Promise<T> {
    const { tracer } = this.options;
    const span = tracer?.start(spanOf(kind, name, origin));
    const task = new Task(span ? { ...origin, traceparent: span.traceparent } : origin, tracer);
    const started = performance.now();
    const run = async (): Promise<T> => {
      let error: string | undefined;
      try {
        const result = await work();
        error = errorOf(result);
        return result;
      } catch (thrown) {
        error = errorWord(thrown);
        throw thrown;
      } finally {
        span?.end({ error });
        this.tell(kind, name, task, performance.now() - started);
      }
    };
    return this.isFollowing ? withinTask(task, run) : run();
  }

  private tell(kind: Kind, name: string, task: Task, tookMs: number): void {
    const { slowMs = 0, isVerbose, onSlow } = this.options;
    const isSlow = slowMs > 0 && tookMs > slowMs && kind !== 'transfer';
    if (isSlow) onSlow?.(kind);
    if (!isSlow && !isVerbose) return;
    const line = describe(kind, name, task, tookMs);
    if (isSlow) this.slowLines.line(line);
    // Slow lines are limited above, and the level debug must have all of them.
    if (isVerbose) this.done.debug(line);
  }
}

function describe(kind: Kind, name: string, task: Task, tookMs: number): string {
  const waits = task.waited().map(([partner, ms]) => `${partner} ${ms.toFixed(0)} ms`);
  const waited = waits.length > 0 ? `, waited for ${waits.join(', ')}` : '';
  return `${kind} ${name} took ${tookMs.toFixed(0)} ms${waited}; request ${task.requestId}`;
}
