import { type ContextOf, cancelPipeline, deletePipeline, type ParsedOf, retryPipeline } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, Logger } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import { Traces } from '../trace/trace.repository';
import { cancelAll, repeatFailed } from './job-transitions';
import { Pipelines } from './pipeline.repository';
import { PipelineViews } from './pipeline.view';
import { requireActive } from './pipeline-rules';
import { RefRights } from './ref-rights';
import { cancelReported } from './reported';

type Target = ContextOf<typeof cancelPipeline>;

@Controller()
export class ChangePipeline {
  private readonly log = new Logger(ChangePipeline.name);

  constructor(
    private readonly pipelines: Pipelines,
    private readonly refs: RefRights,
    private readonly traces: Traces,
    private readonly artifacts: Artifacts,
    private readonly views: PipelineViews,
  ) {}

  @Handles(cancelPipeline)
  async cancel({ project, caller }: Target, { pipeline_id }: ParsedOf<typeof cancelPipeline>) {
    requireActive(project);
    const { _id, ref, reported = [] } = await this.pipelines.get(project.id, pipeline_id);
    await this.refs.require(project, caller, ref);
    if (reported.length > 0) await this.pipelines.report(_id, cancelReported);
    return this.views.detail(await this.pipelines.change(_id, cancelAll), project);
  }

  @Handles(retryPipeline)
  async retry({ project, caller }: Target, { pipeline_id }: ParsedOf<typeof retryPipeline>) {
    requireActive(project);
    const { _id, jobs, ref } = await this.pipelines.get(project.id, pipeline_id);
    await this.refs.require(project, caller, ref);
    // More than needed: ids are plentiful, and jobs that fail meanwhile are retried, too.
    const firstId = await this.pipelines.takeJobIds(jobs.length);
    return this.views.detail(await this.pipelines.change(_id, repeatFailed(firstId, caller.id)), project);
  }

  @Handles(deletePipeline)
  async delete({ project }: Target, { pipeline_id }: ParsedOf<typeof deletePipeline>): Promise<void> {
    requireActive(project);
    const { _id, jobs } = await this.pipelines.get(project.id, pipeline_id);
    const jobIds = jobs.map((job) => job.id);
    // Traces first: without their pipeline they would not be found again.
    await this.traces.remove(jobIds);
    await this.artifacts.removeOfJobs(jobIds);
    await this.pipelines.remove(_id);
    // Artifacts of concurrent uploads. The pipeline is deleted, so a failure here cannot be retried.
    await this.artifacts
      .removeOfJobs(jobIds)
      .catch((error: unknown) => this.log.warn(`artifacts could not be deleted: ${error}`));
  }
}
