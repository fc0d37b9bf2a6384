import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** The largest priority of BullMQ. */
const lowestPriority = 2 ** 21;
const keptSeconds = 3600;

/** The turn of the first job that waits: the clock of the queue. */
async function turnNow(queue: Queue): Promise<number> {
  const [first] = await queue.getPrioritized(0, 0);
  return first?.priority ?? 0;
}

/**
 * Returns a function with the priority of a job, by the number of jobs before it in the same batch: jobs of others
 * run between.
 */
export async function turnsFromNow(queue: Queue): Promise<(behind: number) => number> {
  const now = await turnNow(queue);
  return (behind) => Math.min(now + 1 + behind, lowestPriority);
}

/**
 * The priority of a caller's next job: callers take turns, so that one with two hundred waiting jobs gets no more
 * than one with a single job. Source: start-time fair queueing, Goyal, Vin and Cheng (1996); the turn of the first
 * waiting job is the clock.
 */
export async function nextTurn(redis: Redis, queue: Queue, who: string): Promise<number> {
  const lastTurns = `moothall:turns:${queue.name}`;
  const now = await turnNow(queue);
  // Without waiting jobs all callers are equal.
  if (now === 0) await redis.del(lastTurns);
  const last = Number((await redis.hget(lastTurns, who)) ?? 0);
  const turn = Math.min(Math.max(now, last) + 1, lowestPriority);
  await redis.multi().hset(lastTurns, who, turn).expire(lastTurns, keptSeconds).exec();
  return turn;
}

/** The number of running jobs of each caller in this process. */
export class RunningShares {
  private readonly counts = new Map<string, number>();

  constructor(private readonly share: number) {}

  /** @returns false when the share is used up */
  take(who: string): boolean {
    const count = this.counts.get(who) ?? 0;
    if (count >= this.share) return false;
    this.counts.set(who, count + 1);
    return true;
  }

  give(who: string): void {
    const count = this.counts.get(who) ?? 0;
    if (count > 1) this.counts.set(who, count - 1);
    else this.counts.delete(who);
  }
}
