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

  constructor(withinMs: number) {
    this.channel.port1.once('message', () => {
      clearTimeout(this.timer);
      this.timer = this.abortIn(withinMs);
    });
  }

  private abortIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(), ms);
  }

  /** Aborts when it is over. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Where the thread says that it begins. */
  get begun(): MessagePort {
    return this.channel.port2;
  }

  end(): void {
    clearTimeout(this.timer);
    this.channel.port1.close();
  }
}
