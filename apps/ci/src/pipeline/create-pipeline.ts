import {
  type ContextOf,
  createPipeline,
  createPipelineOfMergeRequest,
  invalidRecord,
  type ParsedOf,
  pipelineErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { type SealedVariable, sealVariable } from '../variable/sealed-variable';
import { keyProblems } from '../variable/variable-rules';
import { PipelineViews } from './pipeline.view';
import { type PipelineDraft, PipelineMaker } from './pipeline-maker';
import { requireActive } from './pipeline-rules';

type Input = ParsedOf<typeof createPipeline>;
type MergeRequestInput = ParsedOf<typeof createPipelineOfMergeRequest>;

@Controller()
export class CreatePipeline {
  constructor(
    private readonly maker: PipelineMaker,
    private readonly views: PipelineViews,
    private readonly box: SecretBox,
  ) {}

  @Handles(createPipeline)
  async handle({ project, caller }: ContextOf<typeof createPipeline>, input: Input) {
    requireActive(project);
    const variables = this.sealed(input.variables);
    const draft = await this.maker.draft({
      project,
      ref: input.ref,
      source: 'api',
      userId: caller.id,
      isAdmin: caller.isAdmin,
      variables,
    });
    return this.saved(draft);
  }

  @Handles(createPipelineOfMergeRequest)
  async createForMergeRequest(
    { project, caller }: ContextOf<typeof createPipelineOfMergeRequest>,
    { merge_request }: MergeRequestInput,
  ) {
    requireActive(project);
    const draft = await this.maker.draft({
      project,
      ref: merge_request.source_branch,
      source: 'merge_request_event',
      userId: caller.id,
      isAdmin: caller.isAdmin,
      variables: [],
      mergeRequest: merge_request,
    });
    return this.saved(draft);
  }

  private async saved(draft: PipelineDraft) {
    if (draft.problem) throw pipelineErrors.invalid({ base: [draft.problem] });
    return this.views.detail(await this.maker.save(draft), draft.request.project);
  }

  /** @throws common.invalid_record for a key that cannot be, or is given twice */
  private sealed(variables: Input['variables']): SealedVariable[] {
    const problems = variables.flatMap(({ key }) => keyProblems(key));
    if (new Set(variables.map(({ key }) => key)).size < variables.length) problems.push('has already been taken');
    if (problems.length > 0) throw invalidRecord({ 'variables.key': [...new Set(problems)] });
    return variables.map((variable) => sealVariable(this.box, variable));
  }
}
