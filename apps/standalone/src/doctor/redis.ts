import { connectionOf } from '@moothall/jobs';
import { Redis } from 'ioredis';
import { compareClocks } from './clock';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

/** See libs/jobs. */
const queuesKey = 'moothall:queues';
const manyWaiting = 10_000;

/** Redis stores queues, sessions and limits. */
export const redisChecks = ({ redisUrl }: Installation): Check[] =>
  redisUrl === undefined
    ? []
    : [
        { about: 'Redis', look: () => connected(redisUrl, lookAt) },
        { about: 'queues', look: () => connected(redisUrl, queues) },
        { about: 'failed jobs', look: () => connected(redisUrl, failedJobs) },
      ];

async function connected<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ ...connectionOf(url), lazyConnect: true, retryStrategy: () => null, connectTimeout: 5000 });
  // connect() rejects with the same error.
  redis.on('error', () => undefined);
  await redis.connect();
  return work(redis).finally(() => redis.disconnect());
}

async function lookAt(redis: Redis) {
  const startedAt = Date.now();
  const [seconds, micros] = await redis.time();
  const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1];
  const settings = await Promise.all(['maxmemory-policy', 'appendonly'].map((name) => redis.config('GET', name)));
  const [policy, appends] = (settings as string[][]).map(([, value]) => value);
  return [
    fine(`Redis ${version} answers.`),
    compareClocks('Redis', Number(seconds) * 1000 + Number(micros) / 1000, startedAt),
    ...(policy === 'noeviction' ? [] : [fault(`maxmemory-policy is ${policy}: queues lose jobs. Set noeviction.`)]),
    ...(appends === 'yes'
      ? []
      : [warning('appendonly is off: a restart loses what queues had since the last snapshot.')]),
  ];
}

async function queues(redis: Redis) {
  const names = await redis.smembers(queuesKey);
  const lengths = await Promise.all(names.map((name) => waitingIn(redis, `moothall:${name}`)));
  const long = names.flatMap((name, at) => ((lengths[at] ?? 0) > manyWaiting ? [`${name} (${lengths[at]})`] : []));
  const waiting = lengths.reduce((sum, one) => sum + one, 0);
  if (long.length > 0) return [warning(`Many jobs wait in ${long.join(', ')}: more workers would help.`)];
  return [fine(`${waiting} jobs wait in ${names.length} queues.`)];
}

/** Jobs of fair queues wait in the prioritized list. */
async function waitingIn(redis: Redis, queue: string): Promise<number> {
  const [plain, prioritized] = await Promise.all([redis.llen(`${queue}:wait`), redis.zcard(`${queue}:prioritized`)]);
  return plain + prioritized;
}

async function failedJobs(redis: Redis) {
  const names = await redis.smembers(queuesKey);
  const counts = await Promise.all(names.map((name) => redis.zcard(`moothall:${name}:failed`)));
  const found = names.flatMap((name, at) => (counts[at] ? [`${name} (${counts[at]})`] : []));
  if (found.length === 0) return [fine('No job has crashed its process.')];
  return [
    warning(
      `Failed jobs that crashed their process: ${found.join(', ')}. GET /api/v4/admin/jobs/set_aside lists them.`,
    ),
  ];
}
