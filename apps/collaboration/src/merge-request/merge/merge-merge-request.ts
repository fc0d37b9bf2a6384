import {
  type Caller,
  type ContextOf,
  mergeErrors,
  mergeMergeRequest,
  mergeRequestErrors,
  notHeadMessage,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireWritable } from '../../parent/require-writable';
import { Approvals } from '../mergeability/approvals';
import { BlockingDiscussions } from '../mergeability/blocking-discussions';
import { knownFrom } from '../mergeability/branch-facts';
import { hasNeededPipeline } from '../mergeability/detailed-status';
import { HeadPipeline, isActive } from '../mergeability/head-pipeline';
import { type BranchFacts, MergeRequestGit } from '../mergeability/merge-request-git';
import { type MergeSettings, MergeSettingsReader } from '../mergeability/merge-settings';
import { PassedChecks } from '../mergeability/passed-checks';
import { SourceRights } from '../mergeability/source-rights';
import { MergeRequests } from '../record/merge-request.repository';
import type { AutoMerge, MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from '../view/merge-request-views';
import { AutoMerges } from './auto-merges';
import { PerformMerge } from './perform-merge';

type Input = ParsedOf<typeof mergeMergeRequest>;
type Pipeline = Awaited<ReturnType<HeadPipeline['findLatest']>>;

/** Merges now, or schedules the merge for when the pipeline succeeds. The statuses: docs/api/merge-requests.md#3. */
@Controller()
export class MergeMergeRequest {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly git: MergeRequestGit,
    private readonly rights: SourceRights,
    private readonly settings: MergeSettingsReader,
    private readonly pipelines: HeadPipeline,
    private readonly autoMerges: AutoMerges,
    private readonly blocking: BlockingDiscussions,
    private readonly approvals: Approvals,
    private readonly checks: PassedChecks,
    private readonly merging: PerformMerge,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(mergeMergeRequest)
  async handle({ project, caller }: ContextOf<typeof mergeMergeRequest>, input: Input) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    if (found.state !== 'opened' || found.isDraft) throw mergeRequestErrors.notMergeable();
    const facts = await this.git.check(found, project, caller);
    const sha = requireMergeable(facts, input.sha);
    const settings = await this.settings.read(project, caller);
    const isBlocked = await this.blocking.isBlocked(found, settings);
    if (isBlocked || !(await this.approvals.areMetAt(found, sha))) throw mergeRequestErrors.notMergeable();
    const [pipeline, how] = await Promise.all([
      this.pipelines.findLatest({ ...found, headSha: sha }, project, caller),
      this.buildOrder(found, caller, input),
    ]);
    const waits = (input.merge_when_pipeline_succeeds ?? input.auto_merge ?? false) && pipeline && isActive(pipeline);
    if (waits) return this.view(await this.autoMerges.promise(found, how, sha), project, caller);
    requirePipeline(pipeline, settings);
    if (!(await this.checks.areMetAt(found, sha, settings))) throw mergeRequestErrors.notMergeable();
    const order = { ...how, sha, method: settings.merge_method };
    return this.view(
      await this.merging.start(found, knownFrom(facts, found), order, { project, caller }),
      project,
      caller,
    );
  }

  private async buildOrder(found: MergeRequestDocument, caller: Caller, input: Input): Promise<AutoMerge> {
    const removes = input.should_remove_source_branch ?? found.removesSourceBranch ?? false;
    return {
      userId: caller.id,
      message: input.merge_commit_message || null,
      squashMessage: input.squash_commit_message || null,
      squash: input.squash ?? found.squash,
      removesSourceBranch: removes && (await this.rights.canPush(found, caller)),
    };
  }

  private view(mergeRequest: MergeRequestDocument, project: ProjectRef, caller: Caller) {
    return this.views.viewOne(mergeRequest, project, caller);
  }
}

/**
 * @returns the head of the source branch. @throws merge.not_allowed, merge.source_moved, merge.not_mergeable,
 *   merge_request.not_mergeable
 */
function requireMergeable(facts: BranchFacts, sha: string | null | undefined): string {
  if (facts.head_sha === null || facts.start_sha === null) throw mergeRequestErrors.notMergeable();
  if (!facts.can_merge) throw mergeErrors.notAllowed();
  if (sha && sha !== facts.head_sha) {
    throw mergeErrors.sourceMoved(notHeadMessage(facts.head_sha));
  }
  if (facts.status === 'conflict') throw mergeErrors.notMergeable();
  if (facts.status !== 'can_be_merged') throw mergeRequestErrors.notMergeable();
  return facts.head_sha;
}

/** @throws merge_request.not_mergeable if the project requires a pipeline that succeeded */
function requirePipeline(pipeline: Pipeline, settings: MergeSettings): void {
  if (!hasNeededPipeline(pipeline, settings)) throw mergeRequestErrors.notMergeable();
}
