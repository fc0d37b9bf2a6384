import { type ContextOf, getCommit, listCommitStatuses, type ParsedOf } from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { JobList } from '../job/job-list';
import type { Pipeline } from '../pipeline/pipeline.schema';
import { requireReader } from '../pipeline/pipeline-rules';
import { externalStage } from '../pipeline/reported';
import { CommitStatusViews, isReported, type PlacedStatus } from './commit-status.view';

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
    const { items, total } = await this.jobs.page(filter, statusesIn(input, direction), input, direction);
    return { items: await this.views.many(items, project), total };
  }
}

/** Those of a pipeline that are asked for, in the order that is. */
const statusesIn =
  ({ all, name, stage }: Asked, direction: 1 | -1) =>
  (pipeline: Pipeline): PlacedStatus[] =>
    [...pipeline.jobs, ...(pipeline.reported ?? [])]
      .filter((one) => all || !one.isRetried)
      .filter((one) => name === undefined || one.name === name)
      .filter((one) => stage === undefined || (isReported(one) ? externalStage : one.stage) === stage)
      .sort((a, b) => direction * (a.id - b.id))
      .map((one) => ({ one, pipeline }));
