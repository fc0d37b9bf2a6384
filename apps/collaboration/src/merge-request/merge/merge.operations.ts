import {
  type ContextOf,
  cancelAutoMerge,
  createMergeRequestPipeline,
  forbidden,
  isError,
  mergeErrors,
  mergeRequestErrors,
  type ParsedOf,
  rebaseMergeRequest,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../../parent/require-writable';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { SourceRights } from '../mergeability/source-rights';
import { MergeRequests } from '../record/merge-request.repository';
import { AutoMerges } from './auto-merges';
import { MergeRequestPipelines } from './merge-request-pipelines';

const conflictsOnRebase = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.';

/** Operations on merges other than merging. */
@Controller()
export class MergeOperations {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly git: MergeRequestGit,
    private readonly rights: SourceRights,
    private readonly autoMerges: AutoMerges,
    private readonly pipelines: MergeRequestPipelines,
  ) {}

  @Handles(cancelAutoMerge)
  async cancel({ project, caller }: ContextOf<typeof cancelAutoMerge>, input: ParsedOf<typeof cancelAutoMerge>) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    const isOwn = found.authorId === caller.id || found.autoMerge?.userId === caller.id;
    if (!isOwn && !(await this.git.check(found, project, caller)).can_merge) throw mergeErrors.notAllowed();
    await this.autoMerges.cancel(found, caller.id);
    return { status: 'success' as const };
  }

  @Handles(createMergeRequestPipeline)
  async runPipeline(
    { project, caller }: ContextOf<typeof createMergeRequestPipeline>,
    input: ParsedOf<typeof createMergeRequestPipeline>,
  ) {
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    return this.pipelines.run(found, { project, caller });
  }

  /** Done before the answer, which still reports a rebase in progress: clients expect that and poll. */
  @Handles(rebaseMergeRequest)
  async rebase({ project, caller }: ContextOf<typeof rebaseMergeRequest>, input: ParsedOf<typeof rebaseMergeRequest>) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    if (found.state !== 'opened') throw mergeRequestErrors.notMergeable();
    const source = await this.rights.findSource(found, caller);
    if (!source) throw forbidden();
    const mergeError = await this.git.rebase(found, source, project, caller).then(
      () => null,
      (error: unknown) => {
        if (isError(error, mergeErrors.notAllowed)) throw forbidden();
        if (isError(error, mergeErrors.notMergeable)) return conflictsOnRebase;
        throw error;
      },
    );
    await this.mergeRequests.model.updateOne({ _id: found._id }, { $set: { mergeError } });
    return { rebase_in_progress: true };
  }
}
