import {
  type ContextOf,
  listSetAsideJobs,
  type ParsedOf,
  pageOf,
  retrySetAsideJob,
  type SetAsideJob as SetAsideJobView,
  setAsideJobErrors,
} from '@moothall/contracts';
import { type SetAsideJob, SetAsideJobs } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';

/** Queues of all services are in one Redis, so one service shows them. */
@Controller()
export class SetAsideJobsOperations {
  constructor(private readonly jobs: SetAsideJobs) {}

  @Handles(listSetAsideJobs)
  async list(_: ContextOf<typeof listSetAsideJobs>, input: ParsedOf<typeof listSetAsideJobs>) {
    return pageOf((await this.jobs.all()).map(viewSetAsideJob), input);
  }

  @Handles(retrySetAsideJob)
  async retry(_: ContextOf<typeof retrySetAsideJob>, { job_id }: ParsedOf<typeof retrySetAsideJob>) {
    const job = await this.jobs.retry(job_id);
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
