import { readFileSync } from 'node:fs';

/**
 * How long the main thread of a process was ready to run without a processor, since its start. Only on Linux, see
 * proc_pid_schedstat; elsewhere, and after the end of the process, 0.
 */
export function waitedForProcessorMs(pid: number): number {
  try {
    const [, waitedNanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNanoseconds) / 1e6 || 0;
  } catch {
    return 0;
  }
}
