import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

interface Target {
  running: number;
  /** Failed attempts since the last success. */
  failures: number;
  openUntilMs: number;
}

const keptTargets = 20_000;
const opensAfter = 5;
const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** Limit of concurrent requests of a process to one target. */
const runningAtMost = 16;
const fullPauseMs = 300;

/**
 * A circuit breaker for each receiving server, so that a dead one with many hooks costs the others nothing: after some
 * failures it is left alone for a while, then one attempt shows whether it is back.
 */
@Injectable()
export class CircuitBreakers {
  private readonly known = new LRUCache<string, Target>({ max: keptTargets });

  constructor(private readonly now: () => number = Date.now) {}

  /** @returns how long to wait, in milliseconds; 0 if a request may start now, which {@link leave} must end */
  enter(name: string): number {
    const target = this.known.get(name) ?? { running: 0, failures: 0, openUntilMs: 0 };
    this.known.set(name, target);
    const isFull = target.running >= (target.failures < opensAfter ? runningAtMost : 1);
    const waitMs = Math.max(target.openUntilMs - this.now(), isFull ? fullPauseMs : 0);
    if (waitMs > 0) return waitMs;
    target.running += 1;
    return 0;
  }

  /** @param isThere whether the server answered, with any status; null if no request was sent */
  leave(name: string, isThere: boolean | null): void {
    const target = this.known.get(name);
    if (!target) return;
    target.running = Math.max(0, target.running - 1);
    if (isThere === null) return;
    target.failures = isThere ? 0 : target.failures + 1;
    if (target.failures < opensAfter) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (target.failures - opensAfter), longestPauseMs);
    target.openUntilMs = this.now() + pauseMs;
  }
}
