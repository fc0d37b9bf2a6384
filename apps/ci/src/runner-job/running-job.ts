import { forbidden, Reply, runnerJobErrors } from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { jobOf } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import type { Job, Pipeline } from '../pipeline/pipeline.schema';

/** The job of a request of a runner, which has the token of the job. */
@Injectable()
export class RunningJob {
  constructor(private readonly pipelines: Pipelines) {}

  /**
   * A missing job is refused like a wrong token: a runner stops at 403, and ids reveal nothing.
   * @throws runner_job.unknown_token
   */
  async get(id: number, token: string | undefined): Promise<{ job: Job; pipeline: Pipeline }> {
    const pipeline = await this.pipelines.findOfJob(id);
    if (!pipeline) throw runnerJobErrors.unknownToken();
    const job = jobOf(pipeline.jobs, id);
    if (token === undefined || job.tokenSha256 !== sha256(token)) throw runnerJobErrors.unknownToken();
    return { job, pipeline };
  }

  /** @throws the same; common.forbidden if it no longer runs */
  async getRunning(id: number, token: string | undefined): Promise<{ job: Job; pipeline: Pipeline }> {
    const found = await this.get(id, token);
    if (found.job.status !== 'running') throw forbidden('Job is not running');
    return found;
  }
}

/** An answer with the status of the job. */
export function statusReply(job: Job, status: number, message: string, headers: Record<string, string> = {}) {
  return new Reply({ message }, { status, headers: { 'Job-Status': job.status, ...headers } });
}

/** The answer that makes a runner stop. */
export const notRunning = (job: Job) => statusReply(job, 403, '403 Forbidden - Job is not running');
