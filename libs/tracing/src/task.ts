import { AsyncLocalStorage } from 'node:async_hooks';
import { errorWord, type Span, type SpanStart, type Tracer } from './span';

/** The origin of a piece of work, from its message, event or job. */
export interface Origin {
  requestId?: string | undefined;
  /** The parent span, as W3C trace context. */
  traceparent?: string | undefined;
}

/** What work waits for. */
export type Partner = 'database' | 'services' | 'events' | 'git';

interface Wait {
  /** Number of outstanding answers. */
  open: number;
  since: number;
  totalMs: number;
}

/** A piece of work: the part of a request in one place. */
export class Task {
  /** The id of the original request; `internal` without one. */
  readonly requestId: string;
  readonly traceparent: string | undefined;
  private readonly waits: Partial<Record<Partner, Wait>> = {};

  /** @param tracer exports its spans, with traces */
  constructor(
    { requestId = 'internal', traceparent }: Origin,
    private readonly tracer?: Tracer | undefined,
  ) {
    this.requestId = requestId;
    this.traceparent = traceparent;
  }

  /** A child span; undefined without traces. */
  startSpan(span: Omit<SpanStart, 'parent'>): Span | undefined {
    return this.tracer?.start({ ...span, parent: this.traceparent });
  }

  begin(partner: Partner): void {
    const wait = this.waits[partner] ?? { open: 0, since: 0, totalMs: 0 };
    this.waits[partner] = wait;
    if (wait.open === 0) wait.since = performance.now();
    wait.open += 1;
  }

  end(partner: Partner): void {
    const wait = this.waits[partner];
    if (!wait || wait.open === 0) return;
    wait.open -= 1;
    if (wait.open === 0) wait.totalMs += performance.now() - wait.since;
  }

  /** Milliseconds of waiting for each partner, the longest first; concurrent waits count once. */
  waited(): [Partner, number][] {
    const waits = Object.entries(this.waits) as [Partner, Wait][];
    return waits.map(([partner, { totalMs }]): [Partner, number] => [partner, totalMs]).sort(([, a], [, b]) => b - a);
  }
}

/** Always empty if tracing is disabled, without cost. */
const tasks = new AsyncLocalStorage<Task>();

/** The current task; undefined if requests are not traced, and outside of requests. */
export const currentTask = (): Task | undefined => tasks.getStore();

export const withinTask = <T>(task: Task, work: () => T): T => tasks.run(task, work);

/**
 * Records that the task waits, and creates a span for it.
 * @param name of the operation or the program; null if there would be too many spans
 * @param work gets the trace context for its call
 */
export function waitingFor<T>(
  partner: Partner,
  name: string | null,
  work: (traceparent?: string) => Promise<T>,
): Promise<T> {
  const task = currentTask();
  if (!task) return work();
  task.begin(partner);
  const span = name === null ? undefined : task.startSpan({ kind: 'client', name });
  const done = work(span?.traceparent).finally(() => task.end(partner));
  if (span)
    done.then(
      () => span.end(),
      (error: unknown) => span.end({ error: errorWord(error) }),
    );
  return done;
}

/** The trace of a task, for a call, an event or a job. */
export function originOfTask(): Origin {
  const task = currentTask();
  if (!task) return {};
  return { requestId: task.requestId, ...(task.traceparent && { traceparent: task.traceparent }) };
}

/** Fields of every log line in a task. */
export function requestOfLine(): { requestId?: string } {
  const task = currentTask();
  return task ? { requestId: task.requestId } : {};
}
