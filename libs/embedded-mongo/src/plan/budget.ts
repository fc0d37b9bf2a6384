import { MongoError } from '../errors';

/** How long one command may work before others get their turn. */
const SLICE_MS = 2;

/**
 * The time of one command. Long work checks `isSliceOver` regularly and then pauses with `nextSlice`, so that other
 * connections are served meanwhile and a command past its limit ends.
 */
export class Budget {
  private sliceEnd = performance.now() + SLICE_MS;
  private readonly deadline: number;
  private abandoned = false;

  /** @param maxTimeMs milliseconds the caller allows; 0 for any */
  constructor(readonly maxTimeMs = 0) {
    this.deadline = maxTimeMs > 0 ? performance.now() + maxTimeMs : Number.POSITIVE_INFINITY;
  }

  /** Stops the work at its next pause: nobody waits for it. */
  abandon(): void {
    this.abandoned = true;
  }

  get isSliceOver(): boolean {
    return performance.now() >= this.sliceEnd;
  }

  /** @throws MaxTimeMSExpired (50) after the caller's limit, Interrupted (11601) after the caller disconnected */
  check(): void {
    if (performance.now() > this.deadline) throw new MongoError('MaxTimeMSExpired', 'operation exceeded time limit');
    if (this.abandoned) throw new MongoError(11601, 'operation was interrupted');
  }

  /** Yields to others, then starts a new slice. */
  async nextSlice(): Promise<void> {
    this.check();
    await new Promise((resolve) => setImmediate(resolve));
    this.check();
    this.sliceEnd = performance.now() + SLICE_MS;
  }

  beginSlice(): void {
    this.sliceEnd = performance.now() + SLICE_MS;
  }
}
