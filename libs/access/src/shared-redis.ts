import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';

/** Injection token of the Redis that all processes share. */
export const redis = Symbol('Redis');

const log = new Logger('Redis');

/** Commands fail if it is unreachable. */
export function openRedis(url: string): Redis {
  const client = new Redis(url, { lazyConnect: true });
  client.on('error', (error: Error) => log.warn(error.message));
  return client;
}

@Injectable()
export class RedisCloser implements OnApplicationShutdown {
  constructor(@Inject(redis) private readonly client: Redis) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.quit();
  }
}
