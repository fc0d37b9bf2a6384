import { Session } from 'node:inspector';
import { getHeapStatistics } from 'node:v8';

/** Of one processor: what timers and signs of life take, and no request. */
const idleShare = 0.03;
const worthwhileBytes = 24 << 20;

/**
 * Gives back what a process no longer needs while nobody asks it anything: what starting left behind, and what a load had
 * grown. V8 collects when it needs room, which an idle process never does. It takes some tenths of a second, so only then.
 * @param everyMs it looks so often whether the process is idle
 */
export function releaseMemoryWhenIdle(everyMs = 10_000): void {
  let used = process.cpuUsage();
  let keptBytes = 0;
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    const isIdle = (user + system) / 1000 < idleShare * everyMs;
    if (isIdle && heapBytes() > keptBytes + worthwhileBytes)
      collect(() => {
        keptBytes = heapBytes();
      });
  }, everyMs).unref();
}

const heapBytes = () => getHeapStatistics().total_heap_size;

/** As `gc()` does, and pages that are nearly empty are given back too. Nothing listens: the session is within this process. */
function collect(onDone: () => void): void {
  const session = new Session();
  session.connect();
  // Node waits for ever where a session is ended within its own answer.
  session.post('HeapProfiler.collectGarbage', () =>
    setImmediate(() => {
      session.disconnect();
      onDone();
    }),
  );
}
