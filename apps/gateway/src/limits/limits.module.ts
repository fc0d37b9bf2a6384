import { openRedis, RateLimits, RedisCloser, redis } from '@moothall/access';
import { KnownSettings } from '@moothall/messaging';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { GatewaySettings } from '../settings/settings';
import { BodyBudget } from './body-budget';
import { CallerShares } from './caller-shares';
import { Throttles } from './throttles';

/** Limits of a caller's requests, per time and concurrent. */
@Module({})
export class LimitsModule {
  /** @param requestsBySetting requests that each limit allows */
  static forGateway(settings: GatewaySettings, requestsBySetting: Record<string, number>): DynamicModule {
    return {
      module: LimitsModule,
      global: true,
      providers: [
        RedisCloser,
        { provide: redis, useFactory: () => openRedis(settings.REDIS_URL) },
        {
          provide: RateLimits,
          inject: [redis, KnownSettings],
          useFactory: (client: Redis, instance: KnownSettings) => new RateLimits(client, requestsBySetting, instance),
        },
        {
          provide: Throttles,
          inject: [redis, KnownSettings],
          useFactory: (client: Redis, instance: KnownSettings) => new Throttles(client, instance),
        },
        { provide: BodyBudget, useValue: new BodyBudget(settings.MAX_BODIES) },
        { provide: CallerShares, useValue: new CallerShares(settings.SLOW_REQUESTS_PER_CALLER) },
      ],
      exports: [redis, RateLimits, Throttles, BodyBudget, CallerShares],
    };
  }
}
