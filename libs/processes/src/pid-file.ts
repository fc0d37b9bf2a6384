import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from './identify-process';

interface PidRecord {
  pid: number;
  identity: string;
}

/** Notes which process runs, so that a later run finds it when this one is killed. */
export function writePidFile(file: string, pid: number): void {
  const identity = identifyProcess(pid);
  if (identity) writeFileSync(file, JSON.stringify({ pid, identity } satisfies PidRecord), { mode: 0o600 });
}

/** @returns the number of the process that the file names, or undefined when it is not running any more */
export function readPidFile(file: string): number | undefined {
  try {
    const { pid, identity } = JSON.parse(readFileSync(file, 'utf8')) as PidRecord;
    return identifyProcess(pid) === identity ? pid : undefined;
  } catch {
    // No file, or an incomplete one after a crash: it identifies no process.
    return undefined;
  }
}

/**
 * Stops the process that a killed earlier run left, with SIGTERM first. Another process with the same id is not
 * stopped.
 * @throws if it still runs 5 s after SIGKILL
 */
export async function endLeftover(file: string, graceMs = 3_000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 5_000],
  ] as const) {
    const pid = readPidFile(file);
    if (pid === undefined) break;
    process.kill(pid, signal);
    await waitUntilGone(file, waitMs);
  }
  const pid = readPidFile(file);
  if (pid !== undefined) throw new Error(`process ${pid}, left by an earlier run, cannot be ended`);
  rmSync(file, { force: true });
}

async function waitUntilGone(file: string, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (readPidFile(file) !== undefined && Date.now() < deadline) await delay(10);
}
