import { type Caller, commonErrors, type LimitSetting, type Operation, OperationError } from '@moothall/contracts';
import type { KnownSettings } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const tooMany = 'This endpoint has been requested too many times. Try again later.';

/** Limits that contracts declare, counted in Redis for all processes together. See docs/api/requests.md#10. */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterRedis>();

  /** @param settings of the process: for each of {@link rateLimitSettings} a number of requests; 0 is unlimited */
  constructor(
    private readonly redis: Redis,
    private readonly settings: Readonly<Record<string, unknown>>,
    private readonly instance: Pick<KnownSettings, 'latest'>,
  ) {}

  /** Counts one request for that caller and target. @throws common.too_many_requests above the limit */
  async take(operation: Operation, who: Caller | undefined, ip: string, target: number | undefined): Promise<void> {
    const caller = who ? `user ${who.id}` : ip;
    if (operation.limitedBy) await consume(this.limiterBy(operation.limitedBy), caller, tooMany);
    await consume(this.limiterOf(operation), `${target ?? ''} ${caller}`, operation.limit?.message);
  }

  /** For all operations that share a setting of the instance. */
  private limiterBy(setting: LimitSetting): RateLimiterRedis | undefined {
    const points = this.instance.latest[setting];
    return points === 0
      ? undefined
      : this.limiter(`${setting} ${points}`, { keyPrefix: setting, points, duration: 60 });
  }

  private limiterOf(operation: Operation): RateLimiterRedis | undefined {
    if (!operation.limit) return undefined;
    const { setting, seconds } = operation.limit;
    const requests = Number(this.settings[setting]);
    if (!requests) return undefined;
    return this.limiter(operation.name, { keyPrefix: operation.name, points: requests, duration: seconds });
  }

  private limiter(name: string, { keyPrefix, ...limit }: { keyPrefix: string; points: number; duration: number }) {
    const known = this.limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterRedis({ storeClient: this.redis, keyPrefix: `limit:${keyPrefix}`, ...limit });
    this.limiters.set(name, limiter);
    return limiter;
  }
}

/** @throws common.too_many_requests */
async function consume(limiter: RateLimiterRedis | undefined, key: string, message?: string): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const { value } = commonErrors.tooManyRequests(message ? { error: message } : undefined);
    throw new OperationError({ ...value, retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
  }
}
