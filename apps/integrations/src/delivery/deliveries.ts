import { randomUUID } from 'node:crypto';
import { PeriodicJob } from '@moothall/background';
import { Jobs, jobQueue } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { DeliveryRecords, type NewDelivery } from './delivery.repository';
import { DeliveryQueues } from './delivery-queue.repository';
import type { DeliveryQueue, DeliveryQueueJob, DeliveryQueueRun } from './delivery-queue.schema';

/** One job for each queue that is not empty; see docs/adr/0012-deliveries.md. The name of the job queue is durable. */
export const deliveryQueueJobs = jobQueue<DeliveryQueueJob>({ name: 'integrations.lines', concurrency: 64 });

/** Calls time out after some seconds. */
const jobsPerCall = 500;

/** Ten thousand hooks in one batch would block all others. */
const addedAtOnce = 1_000;

type Queued = DeliveryQueueJob & { delaySeconds?: number };

const jobIdOf = ({ line, holder }: DeliveryQueueJob): string => `${line}-${holder}`;

/** Stores deliveries and schedules them. Each queue is sent in the order in which deliveries were added. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly records: DeliveryRecords,
    private readonly queues: DeliveryQueues,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Resolves when all deliveries are stored. A delivery with the queue and key of an earlier one is ignored. Queues that are
   * switched off accept none.
   */
  async add(added: readonly NewDelivery[]): Promise<void> {
    for (let from = 0; from < added.length; from += addedAtOnce)
      await this.addSome(added.slice(from, from + addedAtOnce), from);
  }

  private async addSome(added: readonly NewDelivery[], behind: number): Promise<void> {
    const names = [...new Set(added.map(({ line }) => line))];
    const off = await this.queues.off(names);
    const open = added.filter(({ line }) => !off.has(line));
    if (open.length === 0) return;
    await this.records.add(open);
    await this.wake(
      names.filter((line) => !off.has(line)),
      behind,
    );
  }

  /** Schedules queues that no job works on. */
  private async wake(names: string[], behind: number): Promise<void> {
    const holder = randomUUID();
    const wanted = await this.queues.want(names, holder);
    await this.schedule(
      wanted.map((line) => ({ line, holder })),
      behind,
    );
  }

  /** Passes a queue to a new job, behind all others. */
  async handOver(from: DeliveryQueueJob & Partial<DeliveryQueueRun>, delaySeconds = 0): Promise<void> {
    const { line } = from;
    const next = randomUUID();
    if (await this.queues.handOver(from, next)) await this.schedule([{ line, holder: next, delaySeconds }]);
  }

  /** After a success, or a change of the receiver: deliveries that wait are sent immediately. */
  async mend(line: string): Promise<void> {
    const before = await this.queues.mend(line);
    if (before?.holder && before.retryAt) await this.handOver({ line, holder: before.holder });
  }

  /** The later jobs of a batch have a lower priority, so that a thousand hooks of one group do not block others. */
  private async schedule(queues: readonly Queued[], behind = 0): Promise<void> {
    const jobs = queues.map(({ line, holder, delaySeconds = 0 }, at) => {
      const data = { line, holder };
      return { data, id: jobIdOf(data), delaySeconds, behind: behind + at };
    });
    for (let from = 0; from < jobs.length; from += jobsPerCall)
      await this.jobs.addAll(deliveryQueueJobs, jobs.slice(from, from + jobsPerCall));
  }

  /** Queues what Redis has lost; existing jobs stay unchanged. */
  @PeriodicJob('lines', { everySeconds: 20 })
  async recover(signal: AbortSignal): Promise<void> {
    for await (const some of inBatches(this.queues.held(), jobsPerCall)) {
      if (signal.aborted) return;
      await this.schedule(some.flatMap(queuedOf));
    }
  }

  /** Deletes a queue with its deliveries, when its subscriber is deleted. */
  async forget(line: string): Promise<void> {
    await this.queues.remove(line);
    await this.records.forget(line);
  }
}

function queuedOf({ _id, holder, retryAt }: DeliveryQueue): Queued[] {
  const delaySeconds = Math.max(0, ((retryAt?.getTime() ?? 0) - Date.now()) / 1000);
  return holder === null ? [] : [{ line: _id, holder, delaySeconds }];
}

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
