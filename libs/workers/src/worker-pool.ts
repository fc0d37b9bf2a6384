import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { FairQueue } from './fair-queue';
import type { ThreadOutcome, ThreadTask } from './in-thread';
import { TimeAtWork } from './time-at-work';

/** Limits of one task, and the number of threads. */
export interface Limits {
  /** A longer task is terminated; the start of its thread does not count. */
  withinMs: number;
  memoryMb: number;
  /** Number of concurrent tasks; further ones wait, and callers take turns. */
  threads: number;
  /** Tasks of one caller at the same time; with two threads and more, one is left to others by default. */
  share: number;
  /** Threads have a lower priority than everything else, since nobody waits for them. */
  isBackground: boolean;
  /** Limit of waiting tasks of one caller, and ten times as many of all; further ones are refused. */
  waiting: number;
}

/** Options of a task. */
export interface TaskOptions {
  /** Identifies the caller; tasks without one belong to the server itself. */
  who?: string;
  /** Parts of the input that go over to the thread instead of being copied. */
  transfer?: readonly Transferable[];
}

const defaults = { withinMs: 5000, memoryMb: 256, threads: 1, isBackground: false, waiting: 100 };
/** The increment of `nice` that makes a thread yield to others. */
const nicer = 5;
/** A thread without work ends after this time: an idle pool costs nothing. */
const idleMs = 10_000;

/** A task that was terminated, or not started. */
export class OutOfBounds extends Error {
  override name = 'OutOfBounds';

  constructor(readonly bound: 'time' | 'memory' | 'waiting') {
    super(`out of bounds: ${bound}`);
  }
}

/** A thread could not start, or could not load its module: a fault of the installation or the machine, not of the input. */
export class ThreadFailed extends Error {
  override name = 'ThreadFailed';
}

/**
 * Runs one function in threads, where it can be terminated: for input of callers whose length, depth or patterns
 * determine time and memory. Threads are started when there is work.
 */
export class WorkerPool<I, O> {
  private readonly limits: Limits;
  private readonly pool: Piscina<ThreadTask<I>, ThreadOutcome<O>>;
  private readonly places: FairQueue;
  private readonly tasks = new Set<TimeAtWork>();

  /**
   * @param file absolute path of the built module whose default export does the work
   * @param onFailure called if a thread cannot start, cannot load its module, or fails without a task
   */
  constructor(
    private readonly file: string,
    limits: Partial<Limits> = {},
    private readonly onFailure: (error: ThreadFailed) => void = () => {},
  ) {
    const { threads } = { ...defaults, ...limits };
    this.limits = { ...defaults, share: Math.max(1, threads - 1), ...limits };
    const { share, isBackground, waiting } = this.limits;
    this.places = new FairQueue({ places: threads, share, maxWaiting: waiting }, () => new OutOfBounds('waiting'));
    this.pool = new Piscina({
      filename: require.resolve('@moothall/workers/in-thread'),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement: isBackground ? nicer : 0,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb },
      // Threads wait for messages, not for a lock: a thread that waits on a lock cannot be ended.
      atomics: 'disabled',
    });
    this.pool.on('error', (error) => this.onThreadError(error));
  }

  /** @throws OutOfBounds; ThreadFailed; errors of the function, reduced to their message and a standard name */
  run(input: I, { who, transfer = [] }: TaskOptions = {}): Promise<O> {
    return this.inThread({ input }, who, transfer) as Promise<O>;
  }

  /** Starts a thread and loads the module, without any work. @throws ThreadFailed */
  async check(): Promise<void> {
    await this.inThread();
  }

  /** Terminates running tasks. */
  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async inThread(work?: { input: I }, who?: string, transfer: readonly Transferable[] = []) {
    const place = await this.places.acquire(who);
    const time = new TimeAtWork(this.limits.withinMs);
    this.tasks.add(time);
    try {
      const task = { file: this.file, work, begun: time.begun };
      const outcome = await this.pool.run(task, { signal: time.signal, transferList: [...transfer, time.begun] });
      if ('loadFailure' in outcome) throw this.failed(`could not load its module: ${outcome.loadFailure}`);
      return outcome.result;
    } catch (error) {
      if (time.signal.aborted)
        throw time.signal.reason instanceof ThreadFailed ? time.signal.reason : new OutOfBounds('time');
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new OutOfBounds('memory') : error;
    } finally {
      this.tasks.delete(time);
      time.end();
      place.release();
    }
  }

  /** A thread failed while it started, or between two tasks. If no thread is left, waiting tasks must fail. */
  private onThreadError(error: Error): void {
    const failure = this.failed(`failed without a task: ${error.stack ?? error}`);
    if (this.pool.threads.length === 0) for (const time of this.tasks) time.failUnlessBegun(failure);
  }

  private failed(what: string): ThreadFailed {
    const failure = new ThreadFailed(`a thread ${what}`);
    this.onFailure(failure);
    return failure;
  }
}
