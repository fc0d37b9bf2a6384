import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeftover, expectSignsOfLife, writePidFile } from '@moothall/processes';
import { LogFile } from './log-file';

/** How a program ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A ready program. */
export interface RunningProgram {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, for any reason. Never rejects. */
  readonly exited: Promise<Exit>;
  /**
   * Sends SIGTERM, and SIGKILL if that was not enough. Resolves when the process has ended; may be called twice.
   * @param withinMs time between the two signals, by default that of the program; 0 omits SIGTERM
   */
  stop(withinMs?: number): Promise<void>;
  /** From now on it does not prevent the end of this process. */
  unref(): void;
}

/** A program could not be started; the message is for a person and contains the end of the program's log. */
export class ProgramError extends Error {
  constructor(
    message: string,
    /** Last lines the program wrote. */
    readonly lastLines: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ProgramError';
  }
}

export interface ProgramOptions {
  name: string;
  command: string;
  args: readonly string[];
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  /** Starts it in another way than by command and arguments, with a channel and pipes for its output. */
  launch?: (() => ChildProcess) | undefined;
  /** Opens an IPC channel: `process.send` in the program. Only for Node programs. */
  hasChannel?: boolean | undefined;
  /** A program with a channel that does not answer for this time is reported and killed. */
  silent?: { afterMs: number; onSilent: (atWork: string) => void } | undefined;
  /** The output of the program. */
  logFile: string;
  /** Remembers the process, so that a later run can end it should this one be killed. */
  pidFile: string;
  /** Gets each line of the log. */
  onLine?: ((line: string) => void) | undefined;
  /** Resolves when the program answers; aborted by the signal. */
  waitUntilReady: (child: ChildProcess, signal: AbortSignal) => Promise<void>;
  readyWithinMs?: number | undefined;
  /** Time between SIGTERM and SIGKILL. */
  stopWithinMs?: number | undefined;
  /** Aborts the start; the program is stopped and the start rejects. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts a program in its own process group, so that Ctrl-C in a terminal reaches only the supervisor, which then
 * stops its programs in order.
 * @returns the program when it is ready
 * @throws ProgramError if it is missing, ends early, is not ready in time, or the start is aborted
 */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  await endLeftover(options.pidFile);
  const log = new LogFile(options.logFile);
  const child = options.launch?.() ?? spawnDetached(options);
  const lastLines = copyOutput(child, log, options.onLine);
  const exited = waitForExit(child, log, options);
  const stop = (withinMs = options.stopWithinMs ?? 10_000) => stopProgram(child, exited, withinMs);
  let pid: number;
  try {
    pid = await waitForStart(child, options.name);
    writePidFile(options.pidFile, pid);
    await waitForReady(child, exited, options);
  } catch (error) {
    await stop();
    throw explain(error, lastLines);
  }
  if (options.silent) watch(child, options.silent);
  return { name: options.name, pid, exited, stop, unref: () => unref(child) };
}

function spawnDetached({ command, args, cwd, env = process.env, hasChannel }: ProgramOptions): ChildProcess {
  const stdio: StdioOptions = hasChannel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'];
  return spawn(command, args, { cwd, env, detached: true, stdio });
}

function unref(child: ChildProcess): void {
  for (const handle of [child, child.stdout, child.stderr]) (handle as ChildProcess | Socket | null)?.unref();
}

function watch(child: ChildProcess, { afterMs, onSilent }: NonNullable<ProgramOptions['silent']>): void {
  const stopAsking = expectSignsOfLife(child, afterMs, (atWork) => {
    onSilent(atWork);
    signalGroup(child, 'SIGKILL');
  });
  child.once('exit', stopAsking);
}

/** @returns the last lines, which are updated */
function copyOutput(child: ChildProcess, log: LogFile, onLine?: (line: string) => void): string[] {
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(line);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      onLine?.(line);
    });
  }
  return lastLines;
}

function waitForExit(child: ChildProcess, log: LogFile, { pidFile }: ProgramOptions): Promise<Exit> {
  return new Promise((resolve) => {
    const finish = async (exit: Exit) => {
      rmSync(pidFile, { force: true });
      await log.close();
      resolve(exit);
    };
    child.once('exit', async (code, signal) => {
      // Children of the program that still run, such as git.
      signalGroup(child, 'SIGKILL');
      // All its output has been read at "close".
      await Promise.race([once(child, 'close'), delay(1_000, undefined, { ref: false })]);
      await finish({ code, signal });
    });
    child.once('error', () => child.pid === undefined && finish({ code: null, signal: null }));
  });
}

/** @returns its process id */
function waitForStart(child: ChildProcess, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(Number(child.pid)));
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? `${child.spawnfile} is not installed` : error.message;
      reject(new ProgramError(`${name} cannot be started: ${reason}`));
    });
  });
}

async function waitForReady(child: ChildProcess, exited: Promise<Exit>, options: ProgramOptions): Promise<void> {
  const { name, readyWithinMs = 30_000 } = options;
  const enough = new AbortController();
  const timer = setTimeout(
    () => enough.abort(new ProgramError(`${name} is not ready after ${readyWithinMs} ms`)),
    readyWithinMs,
  );
  const giveUp = () => enough.abort(new ProgramError(`the start of ${name} was given up`));
  options.signal?.addEventListener('abort', giveUp);
  if (options.signal?.aborted) giveUp();
  const aborted = new Promise<never>((_, reject) => {
    if (enough.signal.aborted) reject(enough.signal.reason);
    enough.signal.addEventListener('abort', () => reject(enough.signal.reason));
  });
  const ended = exited.then((exit) => {
    throw new ProgramError(
      `${name} ended at its start, ${exit.signal ? `by ${exit.signal}` : `with code ${exit.code}`}`,
    );
  });
  try {
    await Promise.race([options.waitUntilReady(child, enough.signal), ended, aborted]);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', giveUp);
    enough.abort();
  }
}

async function stopProgram(child: ChildProcess, exited: Promise<Exit>, withinMs: number): Promise<void> {
  if (child.pid === undefined) return;
  child.kill(withinMs === 0 ? 'SIGKILL' : 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), withinMs);
  await exited;
  clearTimeout(timer);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group has ended, or it does not have one.
    child.kill(signal);
  }
}

function explain(error: unknown, lastLines: readonly string[]): ProgramError {
  const message = error instanceof Error ? error.message : String(error);
  // The reason without stack frames; of JSON logs only warnings and errors of pino.
  const relevant = lastLines.filter((line) => !/^\s+at |^\{"level":[123]0,/.test(line));
  const end = relevant.slice(-5).map((line) => `\n    ${line}`);
  return new ProgramError(message + end.join(''), lastLines);
}
