import {
  type ContextOf,
  type FailedJob as FailedJobView,
  failedJobErrors,
  type JobQueueCounts,
  listFailedJobs,
  listJobQueues,
  type ParsedOf,
  pageOf,
  retryFailedJob,
} from '@moothall/contracts';
import { AllQueues, type FailedJob } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';

/** All services use the same Redis, so one service can show all queues. */
@Controller()
export class JobQueuesOperations {
  constructor(private readonly queues: AllQueues) {}

  @Handles(listJobQueues)
  async list(): Promise<JobQueueCounts[]> {
    return (await this.queues.counts()).map(({ queue, jobs }) => ({ name: queue, ...jobs }));
  }

  @Handles(listFailedJobs)
  async listFailed(_: ContextOf<typeof listFailedJobs>, input: ParsedOf<typeof listFailedJobs>) {
    return pageOf((await this.queues.setAside()).map(viewFailedJob), input);
  }

  @Handles(retryFailedJob)
  async retry(_: ContextOf<typeof retryFailedJob>, { job_id }: ParsedOf<typeof retryFailedJob>) {
    const job = await this.queues.retry(job_id);
    if (!job) throw failedJobErrors.notFound();
    return viewFailedJob(job);
  }
}

const viewFailedJob = ({ id, queue, reason, createdAt, setAsideAt }: FailedJob): FailedJobView => ({
  id,
  queue,
  reason,
  created_at: createdAt.toISOString(),
  set_aside_at: setAsideAt?.toISOString() ?? null,
});
