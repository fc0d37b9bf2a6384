import { Session } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';

/** Share of one processor: the cost of timers and health checks without requests. */
const idleShare = 0.03;
/** After a collection, requests need more processor time for some seconds. So it runs only when it returns much. */
const worthwhileGrowth = 2;

/**
 * Returns memory to the system while the process is idle: garbage of the start and of earlier load. V8 collects when
 * it needs memory, which an idle process never does. It takes some tenths of a second, so it runs only then.
 * @param everyMs how often it checks whether the process is idle
 */
export function releaseMemoryWhenIdle(everyMs = 10_000): void {
  let used = process.cpuUsage();
  let keptBytes = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    const isIdle = (user + system) / 1000 < idleShare * everyMs;
    if (isIdle && heapBytes() > worthwhileGrowth * keptBytes)
      collect(() => {
        keptBytes = heapBytes();
      });
  }, everyMs).unref();
}

const heapBytes = () => getHeapStatistics().total_heap_size;

/** Like `gc()`, and nearly empty pages are returned too. Nothing listens: the session is within this process. */
function collect(onDone: () => void): void {
  const session = new Session();
  session.connect();
  // Node hangs if a session is closed within its own answer.
  session.post('HeapProfiler.collectGarbage', () =>
    setImmediate(() => {
      session.disconnect();
      onDone();
    }),
  );
}
