import type { RedisOptions } from 'bullmq';

/** Options for BullMQ's connections, from `redis[s]://[user:password@]host:port[/database]`. */
export function connectionOf(redisUrl: string): RedisOptions {
  const url = new URL(redisUrl);
  return {
    host: url.hostname,
    port: Number(url.port || 6379),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { db: Number(url.pathname.slice(1)) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    // Workers wait for Redis instead of failing their jobs.
    maxRetriesPerRequest: null,
  };
}
