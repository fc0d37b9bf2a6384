import path from 'node:path';
import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { FairQueue } from './fair-queue';
import type { ThreadTask } from './in-thread';
import { TimeAtWork } from './time-at-work';

/** What one task may use, and how many are at work. */
export interface Limits {
  /** A task at work for longer is ended; the start of its thread does not count. */
  withinMs: number;
  memoryMb: number;
  /** Tasks at the same time; they wait for each other from the next on, and callers take turns. */
  threads: number;
  /** Tasks of one caller at the same time; with two threads and more, one is left to others unless told. */
  share: number;
  /** Threads have the processor behind all else: nobody waits for what they do. */
  isBackground: boolean;
  /** So many of one caller wait at most, and ten times as many of all; more are refused. */
  waiting: number;
}

/** For whom a task is done. */
export interface TaskOptions {
  /** Stands for the caller; tasks without one are of the house itself. */
  who?: string;
  /** Parts of the input that go over to the thread instead of being copied. */
  transfer?: readonly Transferable[];
}

const defaults = { withinMs: 5000, memoryMb: 256, threads: 1, isBackground: false, waiting: 100 };
/** The difference that makes a thread wait for others. */
const nicer = 5;
/** A thread without work ends after so long: at rest the pool costs nothing. */
const idleMs = 10_000;

/** A task that was ended, or not even begun. */
export class OutOfBounds extends Error {
  override name = 'OutOfBounds';

  constructor(readonly bound: 'time' | 'memory' | 'waiting') {
    super(`out of bounds: ${bound}`);
  }
}

/**
 * Runs one function in threads of its own, where it can be stopped: for what callers write and somebody has to work out,
 * on whose length, depth or patterns the time and memory depend. Threads are started when there is work.
 */
export class WorkerPool<I, O> {
  private readonly limits: Limits;
  private readonly file: string;
  private readonly pool: Piscina<ThreadTask<I>, O>;
  private readonly places: FairQueue;

  /** @param file absolute path of the module, beside the caller's or below it, whose default export does the work */
  constructor(file: string, limits: Partial<Limits> = {}) {
    const { threads } = { ...defaults, ...limits };
    this.limits = { ...defaults, share: Math.max(1, threads - 1), ...limits };
    const { share, isBackground, waiting } = this.limits;
    this.places = new FairQueue({ places: threads, share, maxWaiting: waiting }, () => new OutOfBounds('waiting'));
    this.file = built(file);
    this.pool = new Piscina<ThreadTask<I>, O>({
      filename: built(path.join(__dirname, 'in-thread.js')),
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      niceIncrement: isBackground ? nicer : 0,
      resourceLimits: { maxOldGenerationSizeMb: this.limits.memoryMb },
      // Threads wait for messages, not for a lock: one that sleeps on a lock cannot be told to end.
      atomics: 'disabled',
    });
    // A thread that fails between two tasks; the next task has a new one.
    this.pool.on('error', () => undefined);
  }

  /** @throws OutOfBounds; what the function throws, of which only name and message survive the way */
  async run(input: I, { who, transfer = [] }: TaskOptions = {}): Promise<O> {
    const place = await this.places.acquire(who);
    const time = new TimeAtWork(this.limits.withinMs);
    try {
      const task = { file: this.file, input, begun: time.begun };
      return await this.pool.run(task, { signal: time.signal, transferList: [...transfer, time.begun] });
    } catch (error) {
      if (time.signal.aborted) throw new OutOfBounds('time');
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? new OutOfBounds('memory') : error;
    } finally {
      time.end();
      place.release();
    }
  }

  /** Ends what is at work. */
  close(): Promise<void> {
    return this.pool.destroy();
  }
}

/** Threads run what is built, also where tests run the sources. */
const built = (file: string): string =>
  file.replace(`${path.sep}src${path.sep}`, `${path.sep}dist${path.sep}`).replace(/\.ts$/, '.js');
