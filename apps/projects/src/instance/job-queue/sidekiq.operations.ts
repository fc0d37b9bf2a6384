import {
  type ContextOf,
  deleteQueuedJobs,
  getCompoundMetrics,
  getJobStats,
  getProcessMetrics,
  getQueueMetrics,
  type ParsedOf,
  sidekiqErrors,
} from '@moothall/contracts';
import { AllQueues } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';

const mostMs = 30_000;

/** Background jobs in the form of the v4 interface. See docs/api/instance.md#8. */
@Controller()
export class SidekiqOperations {
  constructor(private readonly all: AllQueues) {}

  @Handles(getQueueMetrics)
  async queues() {
    const lengths = await this.all.lengths();
    const queues = lengths.map(({ queue, backlog, latencySeconds: latency }) => [queue, { backlog, latency }] as const);
    return { queues: Object.fromEntries(queues) };
  }

  @Handles(getProcessMetrics)
  async processes() {
    const processes = (await this.all.processes()).map(({ startedAt, ...process }) => ({
      ...process,
      tag: 'moothall' as const,
      started_at: startedAt.toISOString(),
      labels: [],
    }));
    return { processes };
  }

  @Handles(getJobStats)
  async jobs() {
    return { jobs: await this.all.jobCounts() };
  }

  @Handles(getCompoundMetrics)
  async everything() {
    const [queues, processes, jobs] = await Promise.all([this.queues(), this.processes(), this.jobs()]);
    return { ...queues, ...processes, ...jobs };
  }

  @Handles(deleteQueuedJobs)
  async delete(_: ContextOf<typeof deleteQueuedJobs>, input: ParsedOf<typeof deleteQueuedJobs>) {
    const { queue_name, worker_class, ...others } = input;
    const isSaid = worker_class !== undefined && Object.values(others).every((value) => value === undefined);
    const deletion = await this.all.deleteWaiting(queue_name, isSaid ? worker_class : '', mostMs);
    if (!deletion) throw sidekiqErrors.queueNotFound();
    return { completed: deletion.isComplete, deleted_jobs: deletion.deleted, queue_size: deletion.left };
  }
}
