import {
  type Caller,
  type ContextOf,
  createPipeline,
  createPipelineOfMergeRequest,
  ensurePipelineOfMergeRequest,
  type ParsedOf,
  type PipelineMergeRequest,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { PipelineMaker } from './pipeline-maker';
import { runsPipelines } from './pipeline-rules';
import { RunPipeline } from './run-pipeline';

@Controller()
export class CreatePipeline {
  constructor(
    private readonly maker: PipelineMaker,
    private readonly running: RunPipeline,
  ) {}

  @Handles(createPipeline)
  async handle(
    { project, caller }: ContextOf<typeof createPipeline>,
    { ref, variables }: ParsedOf<typeof createPipeline>,
  ) {
    const asked = { project, ref, source: 'api' as const, userId: caller.id, isAdmin: caller.isAdmin };
    return this.running.run(asked, variables);
  }

  @Handles(createPipelineOfMergeRequest)
  async createForMergeRequest(
    { project, caller }: ContextOf<typeof createPipelineOfMergeRequest>,
    { merge_request }: ParsedOf<typeof createPipelineOfMergeRequest>,
  ) {
    return this.running.run(requestFor(merge_request, project, caller));
  }

  @Handles(ensurePipelineOfMergeRequest)
  async ensureForMergeRequest(
    { project, caller }: ContextOf<typeof ensurePipelineOfMergeRequest>,
    { merge_request, key, is_skipped }: ParsedOf<typeof ensurePipelineOfMergeRequest>,
  ): Promise<void> {
    if (!runsPipelines(project)) return;
    const draft = await this.maker.draft({
      ...requestFor(merge_request, project, caller),
      variables: [],
      isWanted: false,
      isSkipped: is_skipped,
      triggerKey: `merge request ${merge_request.id} ${key}`,
    });
    // Pushed to meanwhile: that has its own event.
    if (draft.facts.sha !== key) return;
    // The pipeline of the branch shows an invalid file, or that nothing runs.
    if (!draft.problem && !draft.isSkipped) await this.maker.saveOnce(draft);
  }
}

const requestFor = (mergeRequest: PipelineMergeRequest, project: ProjectRef, caller: Caller) => ({
  project,
  ref: mergeRequest.source_branch,
  source: 'merge_request_event' as const,
  userId: caller.id,
  isAdmin: caller.isAdmin,
  mergeRequest,
});
