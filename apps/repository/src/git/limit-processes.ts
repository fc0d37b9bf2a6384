import { GitError } from './errors';

type Waiter = { start: () => void };

/** Bounds the git processes that run at once; callers beyond it wait in line, and are refused once the line is full. */
export class ProcessLimiter {
  private running = 0;
  private readonly line = new Set<Waiter>();

  constructor(
    private readonly maxRunning = 16,
    private readonly maxWaiting = 1000,
  ) {}

  /**
   * Takes a place, and returns the function that gives it back (safe to call twice).
   * @throws busy when the line is full, cancelled when `signal` aborts while waiting
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new GitError('cancelled');
    if (this.running < this.maxRunning) this.running++;
    else await this.wait(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  get counts(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.line.size };
  }

  private wait(signal?: AbortSignal): Promise<void> {
    if (this.line.size >= this.maxWaiting) throw new GitError('busy');
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.line.delete(waiter);
        reject(new GitError('cancelled'));
      };
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.line.add(waiter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** The place passes to the first in line, so that `running` never dips and nobody overtakes. */
  private release(): void {
    const [next] = this.line;
    if (!next) {
      this.running--;
      return;
    }
    this.line.delete(next);
    next.start();
  }
}
