/** A periodic job, which finds work that a crash or an unreachable service has left unfinished. */
export interface PeriodicJobDefinition {
  /** Names it in logs and metrics. */
  name: string;
  everySeconds: number;
  /** By every process for itself, as for the storages that it holds; else by one process of the service. */
  byEach: boolean;
  /**
   * It may run twice, also at once where a process slept that was to do it, and be killed at any line.
   * @param signal when it is to come to an end: the process stops, or another has taken over
   */
  run(signal: AbortSignal): Promise<void>;
}

type Marked = Omit<PeriodicJobDefinition, 'run' | 'everySeconds'> & {
  everySeconds: (instance: object) => number;
  where: (instance: object) => boolean;
};
type Run = PeriodicJobDefinition['run'];

const marked = new WeakMap<object, Marked>();

export interface PeriodicJobOptions<T> {
  /** A function where a setting of the provider says it. */
  everySeconds: number | ((instance: T) => number);
  byEach?: boolean;
  /** Whether it is done by this provider at all, as on sites that have nothing of what it looks for. */
  where?: (instance: T) => boolean;
}

/** Marks the method of a provider that is such work. Where the service runs as a worker, it is done. */
export function PeriodicJob<T extends object>(
  name: string,
  { everySeconds, byEach = false, where = () => true }: PeriodicJobOptions<T>,
) {
  return <R extends Run>(_target: object, _key: string, descriptor: TypedPropertyDescriptor<R>): void => {
    if (descriptor.value)
      marked.set(descriptor.value, {
        name,
        everySeconds: (instance) => (typeof everySeconds === 'number' ? everySeconds : everySeconds(instance as T)),
        byEach,
        where: (instance) => where(instance as T),
      });
  };
}

/** What methods of an object are marked. */
export function periodicJobsOf(instance: object): PeriodicJobDefinition[] {
  const found: PeriodicJobDefinition[] = [];
  for (let proto = Object.getPrototypeOf(instance); proto && proto !== Object.prototype; ) {
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(proto))) {
      const mark = typeof value === 'function' && marked.get(value);
      if (!mark) continue;
      const { where, everySeconds, ...job } = mark;
      if (where(instance)) found.push({ ...job, everySeconds: everySeconds(instance), run: value.bind(instance) });
    }
    proto = Object.getPrototypeOf(proto);
  }
  return found;
}

/**
 * Does the work for each item, also for those behind one at which it fails.
 * @throws Error at the end, when any failed, with the first failure
 */
export async function eachAlone<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for await (const item of items) {
    if (signal?.aborted) break;
    await work(item).catch((error: unknown) => failures.push(error));
  }
  throwFirst(failures);
}

/** The same for a few items at once, of which each may wait for somebody else. */
export async function allAlone<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled([...items].map(work));
  throwFirst(ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
}

function throwFirst(failures: unknown[]): void {
  if (failures.length > 0)
    throw new Error(`${failures.length} failed, the first: ${failures[0]}`, { cause: failures[0] });
}
