import { type ContextOf, failureReasons, type ParsedOf, reportJob } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { finish, jobOf } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import { notRunning, RunningJob, statusReply } from './running-job';

@Controller()
export class ReportJob {
  constructor(
    private readonly running: RunningJob,
    private readonly pipelines: Pipelines,
  ) {}

  @Handles(reportJob)
  async handle(_context: ContextOf<typeof reportJob>, input: ParsedOf<typeof reportJob>) {
    const { id, token, state } = input;
    const { job, pipeline } = await this.running.get(id, token);
    // Said again, because the answer was lost.
    if (job.status === state) return statusReply(job, 200, '200 OK');
    if (job.status !== 'running' || state === 'running') return notRunning(job);
    const reason = state === 'failed' ? reasonOf(input.failure_reason) : null;
    const changed = jobOf((await this.pipelines.change(pipeline._id, finish(id, state, reason))).jobs, id);
    return changed.status === state ? statusReply(changed, 200, '200 OK') : notRunning(changed);
  }
}

const reasonOf = (reason: string | undefined): string =>
  failureReasons.find((known) => known === reason) ?? 'unknown_failure';
