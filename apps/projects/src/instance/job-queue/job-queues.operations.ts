import {
  type ContextOf,
  type JobQueueCounts,
  listJobQueues,
  listSetAsideJobs,
  type ParsedOf,
  pageOf,
  retrySetAsideJob,
  type SetAsideJob as SetAsideJobView,
  setAsideJobErrors,
} from '@moothall/contracts';
import { AllQueues, type SetAsideJob } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';

/** Queues of all services are in one Redis, so one service shows them. */
@Controller()
export class JobQueuesOperations {
  constructor(private readonly queues: AllQueues) {}

  @Handles(listJobQueues)
  async list(): Promise<JobQueueCounts[]> {
    return (await this.queues.counts()).map(({ queue, jobs }) => ({ name: queue, ...jobs }));
  }

  @Handles(listSetAsideJobs)
  async listSetAside(_: ContextOf<typeof listSetAsideJobs>, input: ParsedOf<typeof listSetAsideJobs>) {
    return pageOf((await this.queues.setAside()).map(viewSetAsideJob), input);
  }

  @Handles(retrySetAsideJob)
  async retry(_: ContextOf<typeof retrySetAsideJob>, { job_id }: ParsedOf<typeof retrySetAsideJob>) {
    const job = await this.queues.retry(job_id);
    if (!job) throw setAsideJobErrors.notFound();
    return viewSetAsideJob(job);
  }
}

const viewSetAsideJob = ({ id, queue, reason, createdAt, setAsideAt }: SetAsideJob): SetAsideJobView => ({
  id,
  queue,
  reason,
  created_at: createdAt.toISOString(),
  set_aside_at: setAsideAt?.toISOString() ?? null,
});
