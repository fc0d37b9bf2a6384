import { type ApplicationSettings, commonErrors, OperationError, type Throttle } from '@moothall/contracts';
import type { KnownSettings } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { isAnyOn, throttleOf } from './throttle-of';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a request was counted: at most once. */
    isCounted?: boolean;
  }
}

/** One per limit and its values; changed settings create new ones. */
const mostLimiters = 100;

/**
 * Limits that administrators set for the instance, counted in Redis for all gateways together. While none is enabled, a
 * request only reads the cached settings. See docs/api/requests.md#11.
 */
@Injectable()
export class Throttles {
  private readonly limiters = new LRUCache<string, RateLimiterRedis>({ max: mostLimiters });

  constructor(
    private readonly redis: Redis,
    private readonly instance: Pick<KnownSettings, 'latest'>,
  ) {}

  /** Counts a request once, and sets the headers of the limit. @throws common.retry_later above it */
  async take(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const settings = this.instance.latest;
    if (request.isCounted || !isAnyOn(settings)) return;
    request.isCounted = true;
    const [path = ''] = request.url.split('?', 1);
    const name = throttleOf(path, request.caller !== undefined, settings);
    if (!name) return;
    const limiter = this.limiterOf(name, settings);
    const who = request.caller ? `user ${request.caller.id}` : request.ip;
    const outcome = await limiter.consume(who).catch((refusal: unknown) => refusal);
    if (!isResult(outcome)) throw outcome;
    setHeaders(reply, name, limiter, outcome);
    if (outcome.consumedPoints <= limiter.points) return;
    const { value } = commonErrors.retryLater(settings.rate_limiting_response_text || undefined);
    throw new OperationError({ ...value, retryAfterSeconds: Math.ceil(outcome.msBeforeNext / 1000) });
  }

  private limiterOf(name: Throttle, settings: ApplicationSettings): RateLimiterRedis {
    const points = settings[`throttle_${name}_requests_per_period`];
    const duration = settings[`throttle_${name}_period_in_seconds`];
    const key = `${name} ${points} ${duration}`;
    const known = this.limiters.get(key);
    if (known) return known;
    const limit = { keyPrefix: `throttle:${name}:${duration}`, points, duration };
    const limiter = new RateLimiterRedis({
      ...limit,
      storeClient: this.redis,
      // While Redis is down each gateway counts for itself.
      insuranceLimiter: new RateLimiterMemory(limit),
    });
    this.limiters.set(key, limiter);
    return limiter;
  }
}

const isResult = (outcome: unknown): outcome is RateLimiterRes => outcome instanceof RateLimiterRes;

/** In the form of v4 servers. The limit is shown per minute, whatever its period is. */
function setHeaders(
  reply: FastifyReply,
  name: Throttle,
  { points, duration }: RateLimiterRedis,
  { consumedPoints, msBeforeNext }: RateLimiterRes,
): void {
  const resets = new Date(Date.now() + msBeforeNext);
  reply.headers({
    'ratelimit-name': `throttle_${name}`,
    'ratelimit-limit': Math.ceil((points * 60) / duration),
    'ratelimit-observed': consumedPoints,
    'ratelimit-remaining': Math.max(0, points - consumedPoints),
    'ratelimit-reset': Math.ceil(resets.getTime() / 1000),
    'ratelimit-resettime': resets.toUTCString(),
  });
}
