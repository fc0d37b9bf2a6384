import { type ContextOf, getCommit, listCommitStatuses, type ParsedOf } from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobList, type PipelineOutline } from '../job/job-list';
import type { Pipeline } from '../pipeline/pipeline.schema';
import { requireReader } from '../pipeline/pipeline-rules';
import { externalStage } from '../pipeline/reported';
import { CommitStatusViews, type PlacedStatus } from './commit-status.view';

type Asked = ParsedOf<typeof listCommitStatuses>;

@Controller()
export class ReadCommitStatuses {
  constructor(
    private readonly client: OperationClient,
    private readonly jobs: JobList,
    private readonly views: CommitStatusViews,
  ) {}

  @Handles(listCommitStatuses)
  async list({ project, caller }: ContextOf<typeof listCommitStatuses>, input: Asked) {
    requireReader(project, caller);
    const asked = { id: input.id, sha: input.sha, stats: false };
    const { id: sha } = await this.client.call(getCommit, asked, { project, caller });
    const { ref, pipeline_id } = input;
    const filter = { projectId: project.id, sha, ...(ref && { ref }), ...(pipeline_id && { _id: pipeline_id }) };
    const direction = input.sort === 'asc' ? 1 : -1;
    const { items, total } = await this.jobs.page(
      filter,
      { idsIn: statusesIn(input, direction), pick: pickStatus },
      input,
      direction,
    );
    return { items: await this.views.many(items, project), total };
  }
}

/** The requested statuses of a pipeline, in the requested order. */
const statusesIn =
  ({ all, name, stage }: Asked, direction: 1 | -1) =>
  ({ jobs, reported = [] }: PipelineOutline): number[] =>
    [...jobs, ...reported.map((one) => ({ ...one, stage: externalStage }))]
      .filter((one) => all || !one.isRetried)
      .filter((one) => name === undefined || one.name === name)
      .filter((one) => stage === undefined || one.stage === stage)
      .map(({ id }) => id)
      .sort((a, b) => direction * (a - b));

function pickStatus(pipeline: Pipeline, id: number): PlacedStatus | undefined {
  const one = [...pipeline.jobs, ...(pipeline.reported ?? [])].find((status) => status.id === id);
  return one && { one, pipeline };
}
