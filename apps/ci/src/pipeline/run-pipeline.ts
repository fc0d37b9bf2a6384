import { type CiVariable, invalidRecord, pipelineErrors } from '@moothall/contracts';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import { sealVariable } from '../variable/sealed-variable';
import { keyProblems } from '../variable/variable-rules';
import { PipelineViews } from './pipeline.view';
import { type PipelineDraft, PipelineMaker, type PipelineRequest } from './pipeline-maker';
import { requireActive } from './pipeline-rules';

/** Pipelines that a user starts. */
@Injectable()
export class RunPipeline {
  constructor(
    private readonly maker: PipelineMaker,
    private readonly views: PipelineViews,
    private readonly box: SecretBox,
  ) {}

  /** @throws project.archived; pipeline.invalid; common.invalid_record for an invalid or duplicate key */
  async run(request: Omit<PipelineRequest, 'isWanted' | 'variables'>, variables: CiVariable[] = []) {
    requireActive(request.project);
    requireKeys(variables);
    const sealed = variables.map((variable) => sealVariable(this.box, variable));
    return this.saved(await this.maker.draft({ ...request, isWanted: true, variables: sealed }));
  }

  private async saved(draft: PipelineDraft) {
    if (draft.problem) throw pipelineErrors.invalid({ base: [draft.problem] });
    return this.views.detail(await this.maker.save(draft), draft.request.project);
  }
}

function requireKeys(variables: CiVariable[]): void {
  const problems = variables.flatMap(({ key }) => keyProblems(key));
  if (new Set(variables.map(({ key }) => key)).size < variables.length) problems.push('has already been taken');
  if (problems.length > 0) throw invalidRecord({ 'variables.key': [...new Set(problems)] });
}
