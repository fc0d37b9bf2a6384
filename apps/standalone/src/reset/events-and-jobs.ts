import { setTimeout as wait } from 'node:timers/promises';
import { AllQueues } from '@moothall/jobs';
import { connectNats, deadLetterStream, eventStream, securityOf } from '@moothall/messaging';
import { Redis } from 'ioredis';
import type { NatsConnection } from 'nats';

const lookEveryMs = 20;
/** The follow-up work of a seed takes a fraction of this; a caller that waits for the server does not wait longer. */
const settlesWithinMs = 15_000;

/** Pending events and jobs of all services: both are empty between requests. */
export class EventsAndJobs {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly redis: Redis,
    private readonly queues: AllQueues,
  ) {}

  static async open(natsUrl: string, redisUrl: string): Promise<EventsAndJobs> {
    const connection = await connectNats(natsUrl, 'standalone', securityOf(process.env));
    return new EventsAndJobs(connection, new Redis(redisUrl), new AllQueues(redisUrl));
  }

  /** Resolves when all events are processed, and no job is due. */
  async settle(): Promise<void> {
    const deadline = performance.now() + settlesWithinMs;
    while (!((await this.areFollowed()) && (await this.areDone())) && performance.now() < deadline)
      await wait(lookEveryMs);
  }

  private async areFollowed(): Promise<boolean> {
    const manager = await this.connection.jetstreamManager();
    for await (const { num_pending, num_ack_pending } of manager.consumers.list(eventStream))
      if (num_pending > 0 || num_ack_pending > 0) return false;
    return true;
  }

  private async areDone(): Promise<boolean> {
    return (await this.queues.counts()).every(({ jobs }) => jobs.waiting === 0 && jobs.active === 0);
  }

  /** Deletes all events and jobs. No process may run meanwhile. */
  async forget(): Promise<void> {
    const { streams } = await this.connection.jetstreamManager();
    await Promise.all([this.redis.flushdb(), ...[eventStream, deadLetterStream].map((name) => streams.purge(name))]);
  }

  async close(): Promise<void> {
    this.queues.onApplicationShutdown();
    this.redis.disconnect();
    await this.connection.close();
  }
}
