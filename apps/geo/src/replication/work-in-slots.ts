/** Interval of checks for new work while all known work is running. */
const looksEveryMs = 500;

interface Slots<T> {
  /** Current limit of concurrent work. */
  capacity: () => Promise<number>;
  /** Work that is due now; may include running work. */
  next: () => Promise<T[]>;
  work: (item: T) => Promise<void>;
}

/**
 * Runs work in a limited number of slots: a finished item frees its slot immediately. Ends when nothing is running and
 * nothing is left, or on abort.
 * @throws the first error, after all running work has ended
 */
export async function workInSlots<T>({ capacity, next, work }: Slots<T>, signal?: AbortSignal): Promise<void> {
  const working = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let waiting: T[] = [];
  do {
    const goesOn = !signal?.aborted && failures.length === 0;
    if (!goesOn) waiting = [];
    else if (waiting.length === 0) waiting = await next();
    for (const item of waiting.splice(0, (await capacity()) - working.size)) {
      const done: Promise<void> = work(item)
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => working.delete(done));
      working.add(done);
    }
    await firstOf(working);
  } while (working.size > 0 || waiting.length > 0);
  if (failures.length > 0) throw failures[0];
}

/** Waits until one has ended, or there may be new work. */
async function firstOf(working: ReadonlySet<Promise<void>>): Promise<void> {
  if (working.size === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const soon = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, looksEveryMs);
  });
  await Promise.race([...working, soon]);
  clearTimeout(timer);
}
