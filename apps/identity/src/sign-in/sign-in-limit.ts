import { commonErrors } from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { IdentitySettings } from '../settings/settings';

const windowSeconds = 600;
/** Factor for the wider limits: many people may share an address, and an account may be tried from many addresses. */
const wideFactor = 10;
/** Time for which an address counts as the owner's after a sign-in from it. */
const familiarSeconds = 30 * 24 * 60 * 60;

/** One attempt to count. */
interface Count {
  limiter: RateLimiterAbstract;
  key: string;
}

interface Limiters {
  accountFromAddress: RateLimiterAbstract;
  address: RateLimiterAbstract;
  account: RateLimiterAbstract;
}

/**
 * Limits failed sign-ins: for one account from one address, from one address in all, and for one account from all
 * addresses. The last limit would let anyone lock out an owner; so addresses from which the owner has recently signed
 * in are exempt.
 */
@Injectable()
export class SignInLimit implements OnApplicationShutdown {
  private readonly redis?: Redis;
  private readonly limiters?: Limiters;

  constructor(@Inject(settingsToken) { REDIS_URL, SIGN_IN_FAILURES: failures }: IdentitySettings) {
    if (failures === 0) return;
    const redis = new Redis(REDIS_URL, { maxRetriesPerRequest: 1, enableOfflineQueue: false });
    // ioredis reconnects by itself; meanwhile the limiter counts in memory.
    redis.on('error', () => {});
    this.redis = redis;
    this.limiters = {
      accountFromAddress: limiterOf(redis, 'account', failures),
      address: limiterOf(redis, 'address', failures * wideFactor),
      account: limiterOf(redis, 'everywhere', failures * wideFactor),
    };
  }

  /**
   * Counts an attempt before it is made, so that concurrent ones count, too.
   * @returns a function that reverts the count: the attempt succeeded, and the address is the owner's
   * @throws common.too_many_requests
   */
  async attempt(login: string, ip: string): Promise<() => Promise<void>> {
    // Hashed, because people sometimes type a password into the wrong field.
    const account = sha256(login.toLowerCase());
    const counts = await this.countsFor(account, ip);
    try {
      for (const { key, limiter } of counts) await limiter.consume(key);
    } catch (error) {
      throw error instanceof RateLimiterRes ? commonErrors.tooManyRequests() : error;
    }
    return async () => {
      for (const { key, limiter } of counts) await limiter.reward(key);
      await this.redis?.set(familiarKey(account, ip), 1, 'EX', familiarSeconds).catch(() => {});
    };
  }

  private async countsFor(account: string, ip: string): Promise<Count[]> {
    if (!this.limiters) return [];
    const { accountFromAddress, address, account: everywhere } = this.limiters;
    const narrow = [
      { limiter: accountFromAddress, key: `${account}:${ip}` },
      { limiter: address, key: ip },
    ];
    return (await this.isFamiliar(account, ip)) ? narrow : [...narrow, { limiter: everywhere, key: account }];
  }

  private async isFamiliar(account: string, ip: string): Promise<boolean> {
    const known = await this.redis?.exists(familiarKey(account, ip)).catch(() => 0);
    return known === 1;
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

const familiarKey = (account: string, ip: string): string => `moothall:sign-in:familiar:${account}:${ip}`;

const limiterOf = (redis: Redis, name: string, points: number): RateLimiterAbstract =>
  new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `moothall:sign-in:${name}`,
    points,
    duration: windowSeconds,
    insuranceLimiter: new RateLimiterMemory({ points, duration: windowSeconds }),
  });
