import { type ContextOf, failureReasons, type ParsedOf, reportJob } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { fail, jobOf, succeed, withCoverage } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job } from '../pipeline/pipeline.schema';
import { Coverage } from './coverage';
import { notRunning, RunningJob, statusReply } from './running-job';

@Controller()
export class ReportJob {
  constructor(
    private readonly running: RunningJob,
    private readonly pipelines: Pipelines,
    private readonly coverage: Coverage,
  ) {}

  @Handles(reportJob)
  async handle(_context: ContextOf<typeof reportJob>, input: ParsedOf<typeof reportJob>) {
    const { id, token, state } = input;
    const { job, pipeline } = await this.running.get(id, token);
    // Repeated, because the answer was lost.
    if (job.status === state) return statusReply(job, 200, '200 OK');
    if (job.status !== 'running' || state === 'running') return notRunning(job);
    const end = state === 'success' ? succeed(id) : await this.failure(job, input);
    const transition = withCoverage(id, await this.coverage.of(job), end);
    const changed = jobOf((await this.pipelines.change(pipeline._id, transition)).jobs, id);
    return changed.status === state ? statusReply(changed, 200, '200 OK') : notRunning(changed);
  }

  private async failure({ id, retry }: Job, { failure_reason, exit_code }: ParsedOf<typeof reportJob>) {
    const newId = await this.pipelines.takeJobIds(retry ? 1 : 0);
    return fail(id, { reason: reasonOf(failure_reason), exitCode: exit_code }, newId);
  }
}

const reasonOf = (reason: string | undefined): string =>
  failureReasons.find((known) => known === reason) ?? 'unknown_failure';
