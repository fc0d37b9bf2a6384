import {
  type ContextOf,
  getLatestPipeline,
  getPipeline,
  listPipelines,
  listPipelinesOfRefs,
  listPipelineVariables,
  type ParsedOf,
  pipelineErrors,
  userIdsByUsername,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { openVariable } from '../variable/sealed-variable';
import { Pipelines } from './pipeline.repository';
import { PipelineViews } from './pipeline.view';
import { pipelineFilter, pipelineOrder } from './pipeline-filter';
import { requireMaker, requireReader, requireReaderOr } from './pipeline-rules';

/** Jobs of a child pipeline belong to its parent. */
const notChild = { $ne: 'parent_pipeline' } as const;

@Controller()
export class ReadPipelines {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly views: PipelineViews,
    private readonly client: OperationClient,
    private readonly box: SecretBox,
  ) {}

  @Handles(listPipelines)
  async list({ project, caller }: ContextOf<typeof listPipelines>, input: ParsedOf<typeof listPipelines>) {
    requireReader(project, caller);
    const userIds = input.username === undefined ? undefined : await this.idsOf(input.username);
    const filter = pipelineFilter(project.id, input, userIds);
    const { items, total } = await this.pipelines.page(filter, pipelineOrder(input), input);
    return { items: items.map((pipeline) => this.views.summary(pipeline, project)), total };
  }

  @Handles(listPipelinesOfRefs)
  async listOfRefs(
    { project, caller }: ContextOf<typeof listPipelinesOfRefs>,
    input: ParsedOf<typeof listPipelinesOfRefs>,
  ) {
    requireReader(project, caller);
    const { refs, sha } = input;
    const filter = { projectId: project.id, ref: { $in: refs }, source: notChild, ...(sha !== undefined && { sha }) };
    const { items, total } = await this.pipelines.page(filter, { _id: 'desc' }, input);
    return { items: items.map((pipeline) => this.views.summary(pipeline, project)), total };
  }

  private async idsOf(username: string): Promise<number[]> {
    const users = await this.client.call(userIdsByUsername, { usernames: [username] });
    return users.map(({ id }) => id);
  }

  @Handles(getPipeline)
  async get({ project }: ContextOf<typeof getPipeline>, { pipeline_id }: ParsedOf<typeof getPipeline>) {
    requireReaderOr(project, pipelineErrors.notFound);
    return this.views.detail(await this.pipelines.get(project.id, pipeline_id), project);
  }

  @Handles(getLatestPipeline)
  async latest({ project }: ContextOf<typeof getLatestPipeline>, input: ParsedOf<typeof getLatestPipeline>) {
    requireReaderOr(project, pipelineErrors.notFound);
    const ref = input.ref ?? project.defaultBranch ?? '';
    const pipeline = await this.pipelines.findLast({ projectId: project.id, ref, source: notChild });
    if (!pipeline) throw pipelineErrors.notFound();
    return this.views.detail(pipeline, project);
  }

  @Handles(listPipelineVariables)
  async variables(
    { project, caller }: ContextOf<typeof listPipelineVariables>,
    input: ParsedOf<typeof listPipelineVariables>,
  ) {
    const { userId, variables } = await this.pipelines.get(project.id, input.pipeline_id);
    requireMaker(project, caller, userId);
    return variables.map((variable) => openVariable(this.box, variable));
  }
}
