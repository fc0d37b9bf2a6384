import { readFileSync } from 'node:fs';

/**
 * How long a process had something to do and no processor to do it on, since it began: its main thread, on which a Node
 * program takes its turns. Only Linux has it, see proc_pid_schedstat; elsewhere, and after the end of the process, 0.
 */
export function waitedForProcessorMs(pid: number): number {
  try {
    const [, waitedNanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNanoseconds) / 1e6 || 0;
  } catch {
    return 0;
  }
}
