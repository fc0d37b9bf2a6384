import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { commonErrors, type ErrorValue, OperationError } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import type { Refuse } from './archive-files';

/** Input of a worker thread. */
export interface Check<Limits> {
  bytes: ReadableStream<Uint8Array>;
  limits: Limits;
}

interface Reading<Limits> {
  /** Module of the function that reads an archive in a worker thread. */
  thread: string;
  limits: Limits;
  withinSeconds: number;
  refuse: Refuse;
}

/** Validates archives in worker threads, since their authors decide how much there is to read. */
export abstract class ArchiveChecks<Limits, Facts extends object> extends InThreads<
  Check<Limits>,
  Facts | { refusal: ErrorValue }
> {
  constructor(private readonly reading: Reading<Limits>) {
    super(reading.thread, {
      withinMs: reading.withinSeconds * 1000,
      memoryMb: 512,
      threads: 2,
      waiting: 10,
    });
  }

  get limits(): Limits {
    return this.reading.limits;
  }

  /**
   * @param who identifies the caller: callers take turns
   * @throws the error for an invalid archive; common.unavailable if too many archives are queued
   */
  async check(archive: Readable, who: string): Promise<Facts> {
    // Chunks are transferred when the thread reads them.
    const bytes: ReadableStream<Uint8Array> = Readable.toWeb(archive);
    try {
      const outcome = await this.pool.run({ bytes, limits: this.limits }, { who, transfer: [bytes] });
      if ('refusal' in outcome) throw new OperationError(outcome.refusal);
      return outcome;
    } catch (error) {
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw this.reading.refuse(`it takes too much ${error.bound} to be read`);
    } finally {
      archive.destroy();
    }
  }
}
