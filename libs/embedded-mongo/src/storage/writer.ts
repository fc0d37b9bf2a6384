import type { DiskSpace, WriteKind } from './disk-space';

/** How long one transaction may block the process before it is committed and readers run. */
const SLICE_MS = 10;

interface Job {
  run(): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What lmdb throws if a commit fails, with its cause. */
type CommitError = Error & { commitError?: Promise<never> };

function causeOf(error: CommitError): Promise<Error> {
  if (!error.commitError) return Promise.resolve(error);
  return error.commitError.then(
    () => error,
    (cause: Error) => cause,
  );
}

/**
 * The one queue of writes. All jobs that wait when a transaction begins are part of it, and all are answered when it
 * is on disk: under load one fsync serves many callers.
 *
 * A job runs synchronously. It must check everything before it writes: a job that throws after its first write would
 * leave that write, because lmdb's asynchronous transactions do not roll back.
 */
export class Writer {
  private queue: Job[] = [];
  private holds: (() => Promise<void>)[] = [];
  private committing: Promise<void> | undefined;
  private readonly beforeCommit: (() => void)[] = [];

  /** The reason why nothing is written any more. */
  private failure: Error | undefined;

  /** @param onFailure called if lmdb could not write; memory and disk may differ from then on */
  constructor(
    private readonly transaction: (run: () => void) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
    private readonly space: DiskSpace,
  ) {}

  /** Registers writes of every transaction, for example counters. */
  onCommit(hook: () => void): void {
    this.beforeCommit.push(hook);
  }

  /**
   * Runs `job` inside a transaction.
   * @returns the result of the job, when it is on disk
   * @throws the error of the job, or the reason for which the commit failed; OutOfDiskSpace (14031) before it starts
   */
  run<T>(job: () => T, kind: WriteKind = 'write'): Promise<T> {
    const refusal = this.failure ?? this.space.refusal(kind);
    if (refusal) return Promise.reject(refusal);
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ run: job, resolve: resolve as (value: unknown) => void, reject });
      this.committing ??= this.commitAll();
    });
  }

  /**
   * Runs puts and removes that were checked before. If lmdb refuses one, the earlier ones must not be committed: the
   * process ends, as if it had been killed.
   */
  apply(writes: () => void): void {
    try {
      writes();
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.onFailure(error);
  }

  /** Whether all writes are on disk, where readers see them. */
  get isIdle(): boolean {
    return this.committing === undefined;
  }

  /** Resolves when no write is waiting. */
  async drain(): Promise<void> {
    while (this.committing !== undefined) await this.committing;
  }

  /** Runs `work` between two transactions. Writes wait meanwhile. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.holds.push(() => work().then(resolve, reject));
      this.committing ??= this.commitAll();
    });
  }

  private async commitAll(): Promise<void> {
    for (;;) {
      const hold = this.holds.shift();
      if (hold) await hold();
      else if (this.queue.length > 0) await this.commitSome();
      else break;
    }
    this.committing = undefined;
  }

  private async commitSome(): Promise<void> {
    const answers: (() => void)[] = [];
    const running: Job[] = [];
    try {
      await this.transaction(() => this.runSlice(running, answers));
      for (const answer of answers) answer();
    } catch (error) {
      const cause = await causeOf(error as CommitError);
      for (const job of [...running, ...this.queue]) job.reject(cause);
      this.queue = [];
      this.fail(cause);
    }
  }

  private runSlice(running: Job[], answers: (() => void)[]): void {
    const deadline = performance.now() + SLICE_MS;
    let taken = 0;
    do {
      const job = this.queue[taken++]!;
      running.push(job);
      try {
        const value = job.run();
        answers.push(() => job.resolve(value));
      } catch (error) {
        answers.push(() => job.reject(error));
      }
    } while (taken < this.queue.length && performance.now() < deadline);
    this.queue = this.queue.slice(taken);
    for (const hook of this.beforeCommit) hook();
  }
}
