import { commonErrors } from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { IdentitySettings } from '../settings';

const windowSeconds = 600;
/** An address may be shared by many people, so it may fail more often than one account from it. */
const addressFactor = 10;

/** How often sign-ins may fail: for one account from one address, and from one address in all. */
@Injectable()
export class SignInLimit implements OnApplicationShutdown {
  private readonly redis?: Redis;
  private readonly limiters: { keyOf: (login: string, ip: string) => string; limiter: RateLimiterRedis }[] = [];

  constructor(@Inject(settingsToken) { REDIS_URL, SIGN_IN_FAILURES }: IdentitySettings) {
    if (SIGN_IN_FAILURES === 0) return;
    const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
    // Nest has no word for it, and ioredis tries again by itself; the limiter counts in memory meanwhile.
    redis.on('error', () => {});
    this.redis = redis;
    const limiter = (name: string, points: number) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `moothall:sign-in:${name}`,
        points,
        duration: windowSeconds,
        insuranceLimiter: new RateLimiterMemory({ points, duration: windowSeconds }),
      });
    this.limiters = [
      // Hashed: what people type into the wrong field may be a password.
      { keyOf: (login, ip) => `${sha256(login.toLowerCase())}:${ip}`, limiter: limiter('account', SIGN_IN_FAILURES) },
      { keyOf: (_login, ip) => ip, limiter: limiter('address', SIGN_IN_FAILURES * addressFactor) },
    ];
  }

  /**
   * Counts an attempt before it is made, so that many at once are counted, too.
   * @returns takes the attempt back: it did not fail
   * @throws common.too_many_requests
   */
  async attempt(login: string, ip: string): Promise<() => Promise<void>> {
    const counters = this.limiters.map(({ keyOf, limiter }) => ({ key: keyOf(login, ip), limiter }));
    try {
      for (const { key, limiter } of counters) await limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? commonErrors.tooManyRequests() : error;
    }
    return async () => {
      for (const { key, limiter } of counters) await limiter.reward(key);
    };
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
