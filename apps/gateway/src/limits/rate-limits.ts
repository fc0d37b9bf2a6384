import { type Caller, commonErrors, type Operation, OperationError } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Limits that contracts declare, counted in Redis for all gateways together. Source: clarifications A.7. */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterRedis>();

  /** @param requestsBySetting how many requests each setting allows; 0 is no limit */
  constructor(
    private readonly redis: Redis,
    private readonly requestsBySetting: Record<string, number>,
  ) {}

  /** Counts one request for that caller and target. @throws common.too_many_requests beyond the limit */
  async take(operation: Operation, who: Caller | undefined, ip: string, target: number | undefined): Promise<void> {
    const limiter = this.limiterOf(operation);
    if (!limiter) return;
    try {
      await limiter.consume(`${target ?? ''} ${who ? `user ${who.id}` : ip}`);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const { message } = operation.limit!;
      const { value } = commonErrors.tooManyRequests(message ? { error: message } : undefined);
      throw new OperationError({ ...value, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
    }
  }

  private limiterOf(operation: Operation): RateLimiterRedis | undefined {
    if (!operation.limit) return undefined;
    const known = this.limiters.get(operation.name);
    if (known) return known;
    const { setting, seconds } = operation.limit;
    const requests = this.requestsBySetting[setting];
    if (!requests) return undefined;
    const limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: `limit:${operation.name}`,
      points: requests,
      duration: seconds,
    });
    this.limiters.set(operation.name, limiter);
    return limiter;
  }
}
