import {
  artifactErrors,
  type ContextOf,
  deleteArtifacts,
  deleteProjectArtifacts,
  keepArtifacts,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobViews } from '../../job/job.view';
import { jobOf } from '../../pipeline/job-transitions';
import { Pipelines } from '../../pipeline/pipeline.repository';
import { requireActive } from '../../pipeline/pipeline-rules';
import { Artifacts } from '../artifact.repository';

@Controller()
export class ChangeArtifacts {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly pipelines: Pipelines,
    private readonly views: JobViews,
  ) {}

  @Handles(keepArtifacts)
  async keep({ project }: ContextOf<typeof keepArtifacts>, { job_id }: ParsedOf<typeof keepArtifacts>) {
    requireActive(project);
    const pipeline = await this.pipelines.getOfJob(job_id, project.id);
    if (!(await this.artifacts.find(job_id, 'archive'))) throw artifactErrors.notFound();
    await this.artifacts.keep(job_id);
    return this.views.one(jobOf(pipeline.jobs, job_id), pipeline, project);
  }

  @Handles(deleteArtifacts)
  async delete({ project }: ContextOf<typeof deleteArtifacts>, { job_id }: ParsedOf<typeof deleteArtifacts>) {
    requireActive(project);
    await this.pipelines.getOfJob(job_id, project.id);
    await this.artifacts.removeOfJobs([job_id]);
  }

  /** Artifacts of running jobs may be needed by the next ones. */
  @Handles(deleteProjectArtifacts)
  async deleteAll(
    { project }: ContextOf<typeof deleteProjectArtifacts>,
    _input: ParsedOf<typeof deleteProjectArtifacts>,
  ) {
    requireActive(project);
    await this.artifacts.expireOfProject(project.id, await this.pipelines.unfinishedJobs(project.id));
    return { message: '202 Accepted' };
  }
}
