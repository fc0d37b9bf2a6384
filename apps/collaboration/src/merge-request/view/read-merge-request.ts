import {
  type Caller,
  type ContextOf,
  getMergeRequest,
  getMergeRequestChanges,
  type MergeRequest,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { type Known, knownFrom } from '../mergeability/branch-facts';
import { HeadPipeline } from '../mergeability/head-pipeline';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from './merge-request-views';

interface Current {
  mergeRequest: MergeRequestDocument;
  /** Whether the caller may merge; only read while it is open. */
  canMerge?: boolean;
}

/** Reads single merge requests with the current answers of git and of pipelines. */
@Controller()
export class ReadMergeRequest {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly git: MergeRequestGit,
    private readonly pipelines: HeadPipeline,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(getMergeRequest)
  async get({ project, caller }: ContextOf<typeof getMergeRequest>, input: ParsedOf<typeof getMergeRequest>) {
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    const { mergeRequest, canMerge } = await this.readCurrent(found, project, caller);
    const changesCount = mergeRequest.changesCount ?? (await this.countChanges(mergeRequest, project));
    return {
      ...(await this.viewWithPipeline({ ...mergeRequest, changesCount }, project, caller, canMerge)),
      ...(input.include_diverged_commits_count && {
        diverged_commits_count: await this.countDivergence(mergeRequest, project),
      }),
      ...(input.include_rebase_in_progress && { rebase_in_progress: false }),
    };
  }

  @Handles(getMergeRequestChanges)
  async changes(
    { project, caller }: ContextOf<typeof getMergeRequestChanges>,
    input: ParsedOf<typeof getMergeRequestChanges>,
  ) {
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    const { mergeRequest, canMerge } = await this.readCurrent(found, project, caller);
    const { diffs, overflow } = await this.git.readChanges(mergeRequest, project);
    const view = await this.views.viewOne(mergeRequest, project, caller, canMerge);
    return { ...view, changes_count: counted(diffs.length, overflow), changes: diffs, overflow };
  }

  /**
   * A merge request with its current branches. Stores only changes without an event; a moved source has its own event,
   * which may still be queued.
   */
  private async readCurrent(
    found: MergeRequestDocument,
    project: ProjectRef,
    caller: Caller | undefined,
  ): Promise<Current> {
    if (found.state !== 'opened') return { mergeRequest: found };
    const [tips, canMerge] = await Promise.all([
      this.git.readTips(found, project),
      this.git.canMerge(found.targetBranch, project, caller),
    ]);
    const isChecked =
      found.mergeStatus !== 'unchecked' && tips.source === found.headSha && tips.target === found.startSha;
    if (isChecked) return { mergeRequest: found, canMerge };
    const known = knownFrom(await this.git.check(found, project), found);
    const hasMoved = known.headSha !== found.headSha || known.baseSha !== found.baseSha;
    if (!hasMoved) await this.remember(found, known);
    return { mergeRequest: { ...found, ...known, ...(hasMoved && { changesCount: null }) }, canMerge };
  }

  private async countDivergence(mergeRequest: MergeRequestDocument, project: ProjectRef): Promise<number> {
    if (mergeRequest.state !== 'opened') return 0;
    return (await this.git.check(mergeRequest, project)).diverged_commits_count;
  }

  private async remember({ _id, headSha, mergeStatus, startSha }: MergeRequestDocument, known: Known): Promise<void> {
    if (mergeStatus === known.mergeStatus && startSha === known.startSha) return;
    await this.mergeRequests.model.updateOne({ _id, headSha, state: 'opened' }, { $set: known });
  }

  private async countChanges(mergeRequest: MergeRequestDocument, project: ProjectRef): Promise<string> {
    const { diffs, overflow } = await this.git.readChanges(mergeRequest, project);
    const changesCount = counted(diffs.length, overflow);
    const { _id, headSha, baseSha } = mergeRequest;
    await this.mergeRequests.model.updateOne({ _id, headSha, baseSha }, { $set: { changesCount } });
    return changesCount;
  }

  private async viewWithPipeline(
    mergeRequest: MergeRequestDocument,
    project: ProjectRef,
    caller: Caller | undefined,
    canMerge: boolean | undefined,
  ): Promise<MergeRequest> {
    const [view, pipeline] = await Promise.all([
      this.views.viewOne(mergeRequest, project, caller, canMerge),
      this.pipelines.findLatest(mergeRequest, project, caller),
    ]);
    const detail = pipeline && (await this.pipelines.readDetail(pipeline, project, caller));
    return {
      ...view,
      pipeline: pipeline ?? null,
      head_pipeline: detail ?? null,
      latest_build_started_at: detail?.started_at ?? null,
      latest_build_finished_at: detail?.finished_at ?? null,
    };
  }
}

const counted = (files: number, overflow: boolean): string => `${files}${overflow ? '+' : ''}`;
