/** A periodic job, which finds work that a crash or an unreachable service has left unfinished. */
export interface PeriodicJobDefinition {
  /** Names it in logs and metrics. */
  name: string;
  everySeconds: number;
  /** True if every process runs it, for example for its storages; else one process of the service runs it. */
  byEach: boolean;
  /**
   * May run twice, also concurrently if a process was suspended, and be killed at any line.
   * @param signal aborted when the process stops, or another has taken over
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
  /** A function if a setting of the provider defines it. */
  everySeconds: number | ((instance: T) => number);
  byEach?: boolean;
  /** Whether this provider runs it, for example not on sites without such records. */
  where?: (instance: T) => boolean;
}

/** Marks a method of a provider as a periodic job, which runs if the service is a worker. */
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

/** The periodic jobs of an object. */
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
 * Runs the work for each item, also for those after a failed one.
 * @throws Error at the end after a failure, with the first one
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

/** The same, concurrently, for few items. */
export async function allAlone<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const ended = await Promise.allSettled([...items].map(work));
  throwFirst(ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
}

function throwFirst(failures: unknown[]): void {
  if (failures.length > 0)
    throw new Error(`${failures.length} failed, the first: ${failures[0]}`, { cause: failures[0] });
}
