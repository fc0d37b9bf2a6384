import {
  type Caller,
  type ContextOf,
  isReadable,
  listPipelineBridges,
  type OutputOf,
  type ParsedOf,
  pageOf,
  pipelineErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobViews, type PlacedJob } from '../job/job.view';
import { isInScope, placedJobs } from '../job/job-list';
import { Pipelines } from '../pipeline/pipeline.repository';
import { PipelineViews } from '../pipeline/pipeline.view';
import { mayRead, requireReaderOr } from '../pipeline/pipeline-rules';
import { RunnerProjects } from '../runner/runner-projects';

type View = OutputOf<typeof listPipelineBridges>['items'][number];

@Controller()
export class ListBridges {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly jobs: JobViews,
    private readonly views: PipelineViews,
    private readonly projects: RunnerProjects,
  ) {}

  @Handles(listPipelineBridges)
  async list({ project, caller }: ContextOf<typeof listPipelineBridges>, input: ParsedOf<typeof listPipelineBridges>) {
    requireReaderOr(project, pipelineErrors.notFound);
    const isMeant = isInScope(input.scope);
    const bridges = placedJobs(await this.pipelines.get(project.id, input.pipeline_id)).filter(
      ({ job }) => job.isBridge && !job.isRetried && isMeant(job),
    );
    const { items, total } = pageOf(bridges, input);
    const [views, downstream] = await Promise.all([
      this.jobs.many(items, () => project),
      this.downstreamOf(items, caller),
    ]);
    return { items: views.map((view) => ({ ...view, downstream_pipeline: downstream.get(view.id) ?? null })), total };
  }

  /** By the job that created them, if the caller may see them. */
  private async downstreamOf(bridges: PlacedJob[], caller: Caller | undefined) {
    const made = new Map(bridges.flatMap(({ job }) => (job.downstream ? [[job.id, job.downstream.pipelineId]] : [])));
    const pipelines = await this.pipelines.findByIds([...made.values()]);
    const projects = await this.projects.many(
      [...pipelines.values()].map(({ projectId }) => projectId),
      caller,
    );
    const shown = new Map<number, View['downstream_pipeline']>();
    for (const [jobId, pipelineId] of made) {
      const pipeline = pipelines.get(pipelineId);
      const project = pipeline && projects.get(pipeline.projectId);
      if (pipeline && project && isReadable(project, caller) && mayRead(project)) {
        shown.set(jobId, this.views.summary(pipeline, project));
      }
    }
    return shown;
  }
}
