import type { EventEmitter } from 'node:events';
import { expiresAfter } from '@moothall/background';
import { commonErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A request that is not answered by then counts as slow. */
const slowAfterMs = 250;
/** The most waiting requests of one caller; more are refused. */
const mostWaiting = 500;
/** How long it is remembered that something was answered quickly. */
const knownForMs = 60_000;

/** The requests of one caller. */
interface Share {
  open: number;
  /** Those that take long, and those of a kind of which it is not known that they do not. */
  slow: number;
  waiting: Set<() => void>;
}

/** An answer, which says `close` when it is sent or nobody waits for it any more. */
type Answer = Pick<EventEmitter, 'once'> & { closed: boolean };

/**
 * Gives each caller a share of what takes long: while so many of their requests do, further ones wait, and others have the
 * services' time. A caller with quick requests never waits, however many there are: a kind that was quick the last time
 * counts only once it takes long, anything else from its beginning, so that two hundred at once have no more than six.
 */
@Injectable()
export class CallerShares {
  private readonly shares = new Map<string, Share>();
  /** By caller and operation. */
  private readonly quick = new LRUCache<string, true>({ max: 20_000, ...expiresAfter(knownForMs) });

  /** @param slowAtOnce how many slow requests a caller has at the same time */
  constructor(private readonly slowAtOnce: number) {}

  /**
   * Resolves when it is the request's turn.
   * @param caller by whom requests are counted together
   * @throws common.too_many_requests where too many wait already
   */
  async enter(caller: string, operation: string, answer: Answer): Promise<void> {
    // A client that left emits no event.
    if (answer.closed) return;
    const share = this.shareOf(caller);
    if (share.waiting.size >= mostWaiting) throw commonErrors.tooManyRequests();
    const kind = `${caller} ${operation}`;
    let end: (() => void) | undefined;
    share.open += 1;
    answer.once('close', () => {
      end?.();
      share.open -= 1;
      if (share.open === 0) this.shares.delete(caller);
    });
    if (share.slow < this.slowAtOnce) {
      end = this.begin(share, kind);
      return;
    }
    await new Promise<void>((resolve) => {
      const go = (): void => {
        share.waiting.delete(go);
        if (!answer.closed) end = this.begin(share, kind);
        resolve();
      };
      share.waiting.add(go);
      answer.once('close', go);
    });
  }

  private shareOf(caller: string): Share {
    const known = this.shares.get(caller);
    if (known) return known;
    const made: Share = { open: 0, slow: 0, waiting: new Set() };
    this.shares.set(caller, made);
    return made;
  }

  /** Counts a request, in the same turn in which it is let in. @returns what its end does */
  private begin(share: Share, kind: string): () => void {
    const isKnown = this.quick.has(kind);
    let counts = !isKnown;
    let isQuick = true;
    if (counts) share.slow += 1;
    const timer = setTimeout(() => {
      isQuick = false;
      this.quick.delete(kind);
      if (!counts) share.slow += 1;
      counts = true;
    }, slowAfterMs);
    return () => {
      clearTimeout(timer);
      if (isQuick && !isKnown) this.quick.set(kind, true);
      if (!counts) return;
      share.slow -= 1;
      this.letIn(share);
    };
  }

  private letIn(share: Share): void {
    for (const go of share.waiting) {
      if (share.slow >= this.slowAtOnce) return;
      go();
    }
  }
}
