/** A slot of running work. */
export interface Slot {
  /** The number of slots of its caller including this one; 1 for work of the server itself. */
  nth: number;
  /** Releases it; may be called twice. */
  release(): void;
}

export interface FairQueueOptions {
  /** Number of slots, of all callers together. */
  places: number;
  /** Number of slots of one caller; further work waits. */
  share?: number;
  /** Limit of waiting work of one caller, and ten times as much of all; further work is refused. */
  maxWaiting?: number;
  /** A caller that waits longer is refused. */
  waitMs?: number;
}

/** Why work was refused: the queue is full or the wait too long, or the caller has left. */
export type Refusal = 'busy' | 'cancelled';

interface Line {
  running: number;
  waiting: Set<() => void>;
}

/**
 * Limits concurrent work, and callers take turns: one with many waiting tasks gets no more than one with a single task. Work of the
 * server itself (no caller) has a turn like a caller, and no share.
 */
export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** In the order of turns: a caller that was served moves to the end. */
  private readonly lines = new Map<string, Line>();
  private readonly options: Required<FairQueueOptions>;

  /** @param errorOf the error for callers that are refused */
  constructor(
    options: FairQueueOptions,
    private readonly errorOf: (reason: Refusal) => Error,
  ) {
    this.options = { share: options.places, maxWaiting: 1000, waitMs: 0, ...options };
  }

  /**
   * @param who identifies the caller
   * @throws an error of `errorOf`: busy if the queue is full or the wait too long, cancelled when `signal` aborts
   */
  async acquire(who = '', signal?: AbortSignal): Promise<Slot> {
    if (signal?.aborted) throw this.errorOf('cancelled');
    const line = this.lines.get(who) ?? { running: 0, waiting: new Set() };
    this.lines.set(who, line);
    if (!this.hasRoom(who, line) || line.waiting.size > 0) await this.wait(who, line, signal);
    else this.start(line);
    const nth = who === '' ? 1 : line.running;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.release(who, line);
      isHeld = false;
    };
    return { nth, release };
  }

  /** Callers that have something running or waiting. */
  get callers(): number {
    return this.lines.size;
  }

  get counts(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting };
  }

  private hasRoom(who: string, line: Line): boolean {
    const { places, share } = this.options;
    return this.running < places && line.running < (who === '' ? places : share);
  }

  private start(line: Line): void {
    line.running++;
    this.running++;
  }

  private release(who: string, line: Line): void {
    line.running--;
    this.running--;
    this.forget(who, line);
    this.next();
  }

  /** The slot is passed on immediately, so that nobody overtakes waiting callers. */
  private next(): void {
    for (const [who, line] of this.lines) {
      const [begin] = line.waiting;
      if (!begin || !this.hasRoom(who, line)) continue;
      this.lines.delete(who);
      this.lines.set(who, line);
      this.start(line);
      begin();
      return;
    }
  }

  private wait(who: string, line: Line, signal?: AbortSignal): Promise<void> {
    const { maxWaiting, waitMs } = this.options;
    if (line.waiting.size >= maxWaiting || this.waiting >= 10 * maxWaiting) {
      this.forget(who, line);
      throw this.errorOf('busy');
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        line.waiting.delete(begin);
        this.waiting--;
      };
      const begin = () => {
        settle();
        resolve();
      };
      const refuse = (reason: Refusal) => {
        settle();
        this.forget(who, line);
        reject(this.errorOf(reason));
      };
      const leave = () => refuse('cancelled');
      const timer = waitMs > 0 ? setTimeout(() => refuse('busy'), waitMs) : undefined;
      line.waiting.add(begin);
      this.waiting++;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private forget(who: string, line: Line): void {
    if (line.running === 0 && line.waiting.size === 0) this.lines.delete(who);
  }
}
