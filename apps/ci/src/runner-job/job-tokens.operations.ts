import { authenticateJobToken, type ContextOf, commonErrors, getCurrentJob, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { JobViews, type PlacedJob } from '../job/job.view';
import { Pipelines } from '../pipeline/pipeline.repository';
import { RunnerProjects } from '../runner/runner-projects';

/** Authenticates tokens of running jobs. */
@Controller()
export class JobTokens {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly projects: RunnerProjects,
    private readonly views: JobViews,
  ) {}

  @Handles(authenticateJobToken)
  async authenticate(_context: ContextOf<typeof authenticateJobToken>, input: ParsedOf<typeof authenticateJobToken>) {
    const { job, pipeline } = await this.holder(input.token_sha256);
    if (job.userId === null) throw commonErrors.unauthorized();
    return { user_id: job.userId, project_id: pipeline.projectId, job_id: job.id };
  }

  @Handles(getCurrentJob)
  async current(_context: ContextOf<typeof getCurrentJob>, { job_token }: ParsedOf<typeof getCurrentJob>) {
    if (!job_token) throw commonErrors.unauthorized();
    const { job, pipeline } = await this.holder(sha256(job_token));
    const project = await this.projects.find(pipeline.projectId);
    return this.views.one(job, pipeline, project ?? { id: pipeline.projectId, fullPath: '' });
  }

  /** A token is valid while its job runs. @throws common.unauthorized */
  private async holder(tokenSha256: string): Promise<PlacedJob> {
    const pipeline = await this.pipelines.findByJobToken(tokenSha256);
    const job = pipeline?.jobs.find((one) => one.tokenSha256 === tokenSha256 && one.status === 'running');
    if (!pipeline || !job) throw commonErrors.unauthorized();
    return { job, pipeline };
  }
}
