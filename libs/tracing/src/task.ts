import { AsyncLocalStorage } from 'node:async_hooks';
import { errorWord, type Span, type SpanStart, type Tracer } from './span';

/** Where a piece of work comes from, as its message, event or job says. */
export interface Origin {
  requestId?: string | undefined;
  /** The span that the work is part of, as W3C trace context. */
  traceparent?: string | undefined;
}

/** Whom work waits for. */
export type Partner = 'database' | 'services' | 'git';

interface Wait {
  /** How many answers are outstanding. */
  open: number;
  since: number;
  totalMs: number;
}

/** A piece of work: what is done for one request in one place. */
export class Task {
  /** Of the request from which all of it follows; `internal` where nobody outside asked for it. */
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

  /** A part of it; undefined where no traces are made. */
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

  /** Milliseconds in which it waited for each, the longest first; what it waits for at once counts once. */
  waited(): [Partner, number][] {
    const waits = Object.entries(this.waits) as [Partner, Wait][];
    return waits.map(([partner, { totalMs }]): [Partner, number] => [partner, totalMs]).sort(([, a], [, b]) => b - a);
  }
}

/** Empty for ever where nothing is followed: then nobody pays for it. */
const tasks = new AsyncLocalStorage<Task>();

/** What is worked on here and now; undefined where requests are not followed, and in what nobody asked for. */
export const currentTask = (): Task | undefined => tasks.getStore();

export const withinTask = <T>(task: Task, work: () => T): T => tasks.run(task, work);

/**
 * Records that the task waits, and creates a span for it.
 * @param name of the operation or the program; null if there would be too many spans
 * @param work is given the trace context for whom it asks
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

/** What goes along with whatever leaves a task: a call, an event, a job. */
export function originOfTask(): Origin {
  const task = currentTask();
  if (!task) return {};
  return { requestId: task.requestId, ...(task.traceparent && { traceparent: task.traceparent }) };
}

/** What every line of the log says beside its message. */
export function requestOfLine(): { requestId?: string } {
  const task = currentTask();
  return task ? { requestId: task.requestId } : {};
}
