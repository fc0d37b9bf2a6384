import type { EventEmitter } from 'node:events';
import { expiresAfter } from '@moothall/background';
import { commonErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** A request that takes longer counts as slow. */
const slowAfterMs = 250;
/** Limit of waiting requests of one caller; further ones are refused. */
const mostWaiting = 500;
/** How long a kind of request counts as quick after a quick answer. */
const knownForMs = 60_000;

/** The requests of one caller. */
interface Share {
  open: number;
  /** Slow requests, and requests of a kind that is not known to be quick. */
  slow: number;
  waiting: Set<() => void>;
}

/** A response, whose `close` event comes when it is sent or the client leaves. */
type Answer = Pick<EventEmitter, 'once'> & { closed: boolean };

/**
 * Limits the concurrent slow requests of each caller: at the limit further ones wait, so that other callers get their
 * share of the services. A caller with quick requests never waits: a kind that was quick the last time counts only once
 * it takes long, any other kind from its start, so that of two hundred concurrent requests no more than six run.
 */
@Injectable()
export class CallerShares {
  private readonly shares = new Map<string, Share>();
  /** By caller and operation. */
  private readonly quick = new LRUCache<string, true>({ max: 20_000, ...expiresAfter(knownForMs) });

  /** @param slowAtOnce limit of concurrent slow requests of one caller */
  constructor(private readonly slowAtOnce: number) {}

  /**
   * Resolves when it is the request's turn.
   * @param caller key by which requests are counted
   * @throws common.too_many_requests if too many are waiting
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

  /** Counts a request in the same event loop turn in which it is admitted. @returns a function to call at its end */
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
