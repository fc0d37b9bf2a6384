import type { EventEmitter } from 'node:events';
import { commonErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';

/** A request that is not answered by then counts as slow. */
const slowAfterMs = 250;
/** So many of one caller wait; more are told to come again. */
const mostWaiting = 500;

/** The requests of one caller. */
interface Share {
  open: number;
  slow: number;
  waiting: Set<() => void>;
}

/** An answer, which says `close` when it is sent or nobody waits for it any more. */
type Answer = Pick<EventEmitter, 'once'> & { closed: boolean };

/**
 * Gives each caller a share of what takes long: while so many of their requests do, further ones wait, and others have the
 * services' time. Who asks only for what is answered quickly never waits, however much it is.
 */
@Injectable()
export class CallerShares {
  private readonly shares = new Map<string, Share>();

  /** @param slowAtOnce how many slow requests a caller has at the same time */
  constructor(private readonly slowAtOnce: number) {}

  /**
   * Resolves when it is the request's turn.
   * @param caller by whom requests are counted together
   * @throws common.too_many_requests where too many wait already
   */
  async enter(caller: string, answer: Answer): Promise<void> {
    const share = this.shareOf(caller);
    if (share.waiting.size >= mostWaiting) throw commonErrors.tooManyRequests();
    share.open += 1;
    answer.once('close', () => {
      share.open -= 1;
      if (share.open === 0) this.shares.delete(caller);
    });
    if (share.slow >= this.slowAtOnce || share.waiting.size > 0) await turn(share, answer);
    if (!answer.closed) this.watch(share, answer);
  }

  private shareOf(caller: string): Share {
    const known = this.shares.get(caller);
    if (known) return known;
    const made: Share = { open: 0, slow: 0, waiting: new Set() };
    this.shares.set(caller, made);
    return made;
  }

  private watch(share: Share, answer: Answer): void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      share.slow += 1;
    }, slowAfterMs);
    answer.once('close', () => {
      clearTimeout(timer);
      if (isSlow) share.slow -= 1;
      const [next] = share.waiting;
      if (next && share.slow < this.slowAtOnce) next();
    });
  }
}

/** Resolves when one before it has ended, or its client is gone. */
function turn(share: Share, answer: Answer): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      share.waiting.delete(go);
      resolve();
    };
    share.waiting.add(go);
    answer.once('close', go);
  });
}
