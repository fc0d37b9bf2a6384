import {
  BrowserUsers,
  OperationChecks,
  openRedis,
  RateLimits,
  RedisCloser,
  ResourceResolver,
  redis,
  Validators,
} from '@moothall/access';
import { KnownSettings, OperationClient, RecordsClient, servesCopies } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Highlighter } from '../highlight/highlighter';
import type { WebSettings } from '../settings/settings';
import { FollowChanges } from './follow-changes';
import { Visits } from './visits';

/** Who requests a page, and what they may call. */
@Module({
  providers: [
    FollowChanges,
    Highlighter,
    Validators,
    Visits,
    {
      provide: BrowserUsers,
      inject: [OperationClient],
      useFactory: (client: OperationClient) => new BrowserUsers(client),
    },
    {
      provide: ResourceResolver,
      inject: [OperationClient, settingsToken],
      useFactory: (client: OperationClient, settings: WebSettings) =>
        new ResourceResolver(new RecordsClient(client, servesCopies(settings))),
    },
    {
      provide: redis,
      inject: [settingsToken],
      useFactory: ({ REDIS_URL }: WebSettings) => openRedis(REDIS_URL),
    },
    RedisCloser,
    {
      provide: RateLimits,
      inject: [redis, settingsToken, KnownSettings],
      useFactory: (client: Redis, settings: WebSettings, instance: KnownSettings) =>
        new RateLimits(client, settings, instance),
    },
    {
      provide: OperationChecks,
      inject: [settingsToken, Validators, ResourceResolver, RateLimits],
      useFactory: ({ EDITION }: WebSettings, validators: Validators, resources: ResourceResolver, limits: RateLimits) =>
        new OperationChecks(EDITION, validators, resources, limits),
    },
  ],
  exports: [redis, Visits],
})
export class VisitModule {}
