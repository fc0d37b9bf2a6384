import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** A thread that has not started by then never will. */
const longestStartMs = 120_000;

/**
 * The time of one task. It counts from the start of the task in its thread: the start of a thread takes seconds on a busy
 * machine, which is not the fault of the task.
 */
export class TimeAtWork {
  private readonly controller = new AbortController();
  private readonly channel = new MessageChannel();
  private timer = this.abortIn(longestStartMs);
  private hasBegun = false;

  constructor(withinMs: number) {
    this.channel.port1.once('message', () => {
      this.hasBegun = true;
      clearTimeout(this.timer);
      this.timer = this.abortIn(withinMs);
    });
  }

  private abortIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(), ms);
  }

  /** Aborts when the time is over, or the thread could not start: `reason` is the error then. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Where the thread reports its start. */
  get begun(): MessagePort {
    return this.channel.port2;
  }

  /** Fails a task that waits for a thread if none is left. */
  failUnlessBegun(error: Error): void {
    if (!this.hasBegun) this.controller.abort(error);
  }

  end(): void {
    clearTimeout(this.timer);
    this.channel.port1.close();
  }
}
