import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** A thread that has not begun by then never will. */
const longestStartMs = 120_000;

/**
 * The time of one task. It counts from when the thread begins: to start one takes seconds on a machine that does much
 * else, which is nobody's fault who has something worked out.
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

  /** Where the thread says that it begins. */
  get begun(): MessagePort {
    return this.channel.port2;
  }

  /** Ends a task that waits for a thread, where none is left. */
  failUnlessBegun(error: Error): void {
    if (!this.hasBegun) this.controller.abort(error);
  }

  end(): void {
    clearTimeout(this.timer);
    this.channel.port1.close();
  }
}
