import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '@moothall/processes';
import { currentTask, waitingFor } from '@moothall/tracing';
import type { Slot } from '@moothall/workers';
import { GitError, isDiskFullMessage } from './errors';
import { GitQueue } from './git-queue';

/** Values by key; some keys have several values. */
export type GitSettings = Record<string, string | readonly string[]>;

/** Limits and options of one git process. */
export interface RunOptions {
  /** The user of the process, for fair scheduling. */
  who?: string | undefined;
  /** Bytes for its standard input. */
  input?: Buffer | string | undefined;
  /** Ends the process when it aborts. */
  signal?: AbortSignal | undefined;
  /** Default: the runner's. */
  timeoutMs?: number | undefined;
  /** Output beyond this many bytes ends the process with object_too_large. Default 64 MiB. */
  maxOutputBytes?: number | undefined;
  /** Exit codes that are an answer, not a failure. Default: 0 only. */
  exitCodes?: readonly number[] | undefined;
  env?: Record<string, string> | undefined;
  /** Effect of an abort on an open process: kill it, or end its input so that it can clean up. */
  onAbort?: 'kill' | 'end-input' | undefined;
  /** The repository, if it is passed in the arguments. */
  repository?: string | undefined;
  /** It starts helpers for remote servers, which hold its streams and have to be ended with it. */
  hasHelpers?: boolean | undefined;
  /** Its hooks have a channel to this process on descriptor 3: `child.stdio[3]`. */
  hasChannel?: boolean | undefined;
  /** Settings for this process only. Passed by environment, so that secrets do not show in process lists. */
  config?: GitSettings | undefined;
}

export interface RunResult {
  stdout: Buffer;
  /** About the first 8 KB. */
  stderr: string;
  exitCode: number;
}

const ERROR_TEXT_BYTES = 8192;

/** An absolute path, since a process without one tries every folder of the PATH. */
const PROGRAM = findProgram('git') ?? 'git';

/**
 * The environment of every git process: no settings of the machine or its users, no prompt, no hooks, messages in
 * English, literal paths. The safe-directory check is off because in a container the storage may belong to another
 * user.
 */
export function gitEnvironment(config: GitSettings = {}, extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const wanted = { 'safe.directory': '*', 'core.hooksPath': '/dev/null', ...config };
  const settings = Object.entries(wanted).flatMap(([key, values]) => [values].flat().map((value) => ({ key, value })));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...extra,
  };
  settings.forEach(({ key, value }, index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return env;
}

/** Starts git processes on bare repositories, with limits on number, time and output. */
export class GitRunner {
  /** Exits of open processes, by the repository that they use. */
  private readonly underWay = new Map<string, Set<Promise<void>>>();

  private readonly timeoutMs: number;
  /** Whether git flushes writes to the disk before it acknowledges them. */
  readonly fsync: boolean;

  constructor(
    readonly queue = new GitQueue({ places: 16 }),
    { timeoutMs = 60_000, fsync = true }: { timeoutMs?: number | undefined; fsync?: boolean | undefined } = {},
  ) {
    this.timeoutMs = timeoutMs;
    this.fsync = fsync;
  }

  /**
   * Runs git until it exits.
   * @param repository path of a bare repository, or null for commands outside of one
   * @throws git_failed and disk_full with git's message as detail, repository_not_found if it was deleted meanwhile,
   * timed_out, cancelled, busy, object_too_large
   */
  async run(repository: string | null, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return waitingFor('git', `git ${args[0]}`, () => this.runInTurn(repository, args, options));
  }

  private async runInTurn(repository: string | null, args: readonly string[], options: RunOptions): Promise<RunResult> {
    const place = await this.queue.acquire(options.who, options.signal);
    try {
      const child = yieldToOthers(this.start(repository, args, options), place);
      return await collect(child, args, { timeoutMs: this.timeoutMs, ...options });
    } catch (error) {
      const hasFailed = error instanceof GitError && error.reason === 'git_failed';
      throw hasFailed && repository !== null ? failureOf(repository, error.detail) : error;
    } finally {
      place.release();
    }
  }

  /** Like {@link run}, and returns the output as text. */
  async text(repository: string | null, args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.run(repository, args, options)).stdout.toString('utf8');
  }

  /**
   * Starts a process whose streams the caller owns; its slot is released when it exits. It is killed when `signal`
   * aborts (unless `onAbort` says otherwise) or at the time limit.
   */
  async open(
    repository: string | null,
    args: readonly string[],
    options: Omit<RunOptions, 'input'> = {},
  ): Promise<ChildProcessWithoutNullStreams> {
    const place = await this.queue.acquire(options.who, options.signal);
    const child = yieldToOthers(
      startIn(place, () => this.start(repository, args, options)),
      place,
    );
    const span = currentTask()?.startSpan({ kind: 'client', name: `git ${args[0]}` });
    child.once('close', () => span?.end());
    child.once('close', place.release);
    child.once('error', place.release);
    const worksOn = options.repository ?? repository;
    if (worksOn !== null) this.follow(worksOn, child);
    if (options.onAbort === 'end-input') endInputWith(child, options.signal);
    else child.once('close', endWith(child, options.signal, options.timeoutMs));
    return child;
  }

  /**
   * Waits for the open processes of a repository, up to a time limit.
   * @returns whether all of them have ended
   */
  async settled(repository: string, patienceMs: number): Promise<boolean> {
    const ends = Promise.all(this.underWay.get(repository) ?? []).then(() => true);
    return Promise.race([ends, delay(patienceMs, false, { ref: false })]);
  }

  private start(
    repository: string | null,
    args: readonly string[],
    options: RunOptions,
  ): ChildProcessWithoutNullStreams {
    const where = repository === null ? [] : [`--git-dir=${repository}`];
    const config = { ...(!this.fsync && { 'core.fsync': 'none' }), ...options.config };
    return spawnGit([...where, ...args], gitEnvironment(config, options.env), options);
  }

  private follow(repository: string, child: ChildProcess): void {
    const open = this.underWay.get(repository) ?? new Set();
    const end = new Promise<void>((resolve) => {
      child.once('close', () => resolve()).once('error', () => resolve());
    }).then(() => {
      open.delete(end);
      if (open.size === 0 && this.underWay.get(repository) === open) this.underWay.delete(repository);
    });
    this.underWay.set(repository, open.add(end));
  }
}

/**
 * The reason of a failure: the repository was deleted meanwhile, or the disk is full, or something else.
 * @param words git's message
 * @param otherwise the reason if neither applies
 */
export function failureOf(
  repository: string,
  words: string,
  otherwise: 'git_failed' | 'object_unreadable' = 'git_failed',
): GitError {
  // HEAD is deleted first.
  if (!existsSync(join(repository, 'HEAD'))) return new GitError('repository_not_found', '', words);
  return new GitError(isDiskFullMessage(words) ? 'disk_full' : otherwise, '', words);
}

/** Lowers the priority of a process by the number of processes that its caller already has. */
function yieldToOthers(child: ChildProcessWithoutNullStreams, { nth }: Slot): ChildProcessWithoutNullStreams {
  if (nth === 1 || child.pid === undefined) return child;
  try {
    setPriority(child.pid, Math.min(19, 5 * (nth - 1)));
  } catch {
    // It has already exited.
  }
  return child;
}

/** Releases the slot if the start fails. */
function startIn<T>({ release }: Slot, begin: () => T): T {
  try {
    return begin();
  } catch (error) {
    release();
    throw error;
  }
}

/** @throws busy if the process has reached its limit of open files */
export function spawnGit(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { hasHelpers = false, hasChannel = false }: Pick<RunOptions, 'hasHelpers' | 'hasChannel'> = {},
): ChildProcessWithoutNullStreams {
  const streams: 'pipe'[] = ['pipe', 'pipe', 'pipe'];
  if (hasChannel) streams.push('pipe');
  // The first three are streams in any case.
  const child = spawn(PROGRAM, args, {
    cwd: '/',
    env,
    stdio: streams,
    detached: hasHelpers,
  }) as ChildProcessWithoutNullStreams;
  // The promise of its exit rejects with this error.
  child.on('error', () => undefined);
  // Without free descriptors there are no streams, and no exit event either.
  if (!child.stdin) throw new GitError('busy');
  // A process may exit before it has read its whole input: its exit code reports that, not these streams.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  return child;
}

/** Kills the process on abort or timeout; returns a function that stops watching. */
function endWith(
  child: ChildProcess,
  signal?: AbortSignal,
  timeoutMs?: number,
  onTimeout?: () => void,
  hasHelpers?: boolean,
): () => void {
  const kill = () => killAll(child, hasHelpers);
  const timer = timeoutMs
    ? setTimeout(() => {
        onTimeout?.();
        kill();
      }, timeoutMs)
    : undefined;
  if (signal?.aborted) kill();
  signal?.addEventListener('abort', kill, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  };
}

/** Including its helpers, if it has any. */
function killAll(child: ChildProcess, hasHelpers = false): void {
  if (hasHelpers) killGroup(child);
  else child.kill('SIGKILL');
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have already exited.
  }
}

function endInputWith(child: ChildProcessWithoutNullStreams, signal?: AbortSignal): void {
  const end = () => child.stdin.end();
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  child.once('close', () => signal?.removeEventListener('abort', end));
}

function collect(
  child: ChildProcessWithoutNullStreams,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const { maxOutputBytes = 64 << 20, exitCodes = [0], signal } = options;
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = '';
  let failure: GitError | null = null;
  const timedOut = () => {
    failure = new GitError('timed_out', '', args.join(' '));
  };
  const disarm = endWith(child, signal, options.timeoutMs, timedOut, options.hasHelpers);
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxOutputBytes) chunks.push(chunk);
    else {
      failure ??= new GitError('object_too_large', '', args.join(' '));
      killAll(child, options.hasHelpers);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < ERROR_TEXT_BYTES) stderr += chunk.toString('utf8');
  });
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      disarm();
      reject(new GitError('git_failed', '', error.message));
    });
    child.once('close', (code) => {
      disarm();
      if (failure) reject(failure);
      else if (signal?.aborted) reject(new GitError('cancelled'));
      else if (code === null || !exitCodes.includes(code))
        reject(new GitError(isDiskFullMessage(stderr) ? 'disk_full' : 'git_failed', '', `git ${args[0]}: ${stderr}`));
      else resolve({ stdout: Buffer.concat(chunks), stderr, exitCode: code });
    });
  });
}
