import {
  type EventData,
  type EventRecord,
  mergeRequestChanged,
  mergeRequestErrors,
  mergeRequestIidOf,
  OperationError,
  pipelineChanged,
  present,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { ActingUser, type Actor } from '../../user/acting-user';
import { Approvals } from '../mergeability/approvals';
import { BlockingDiscussions } from '../mergeability/blocking-discussions';
import { knownFrom } from '../mergeability/branch-facts';
import { HeadPipeline } from '../mergeability/head-pipeline';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { MergeSettingsReader } from '../mergeability/merge-settings';
import { PassedChecks } from '../mergeability/passed-checks';
import { MergeRequests } from '../record/merge-request.repository';
import type { AutoMerge, MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { PerformMerge } from './perform-merge';

/** Merges that wait for a pipeline. Texts: docs/api/merge-requests.md#4. */
@Injectable()
export class AutoMerges {
  private readonly log = new Logger(AutoMerges.name);

  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly git: MergeRequestGit,
    private readonly acting: ActingUser,
    private readonly pipelines: HeadPipeline,
    private readonly settings: MergeSettingsReader,
    private readonly blocking: BlockingDiscussions,
    private readonly approvals: Approvals,
    private readonly checks: PassedChecks,
    private readonly merging: PerformMerge,
  ) {}

  /** @param sha head of the source branch, whose pipeline must succeed */
  promise(found: MergeRequestDocument, autoMerge: AutoMerge, sha: string): Promise<MergeRequestDocument> {
    const note = `enabled an automatic merge when the pipeline for ${sha.slice(0, 8)} succeeds`;
    return this.set(found, autoMerge, note, autoMerge.userId);
  }

  /** @throws merge_request.not_mergeable if no merge is scheduled */
  cancel(found: MergeRequestDocument, userId: number): Promise<MergeRequestDocument> {
    return this.set(found, null, 'canceled the automatic merge', userId);
  }

  private set(found: MergeRequestDocument, autoMerge: AutoMerge | null, note: string, userId: number) {
    const patchOf = (current: MergeRequestDocument): IssuablePatch => {
      const isPossible = current.state === 'opened' && (autoMerge !== null || current.autoMerge !== null);
      if (!isPossible) throw mergeRequestErrors.notMergeable();
      return { silent: { autoMerge }, notes: [note] };
    };
    return this.changes.change(this.kind, found, patchOf, { userId });
  }

  /** The event only names the merge request: the pipeline may have changed since, or a newer one may exist. */
  @OnEvent(pipelineChanged, 'AutoMerges-onPipeline')
  async onPipeline({ data }: EventRecord<EventData<typeof pipelineChanged>>): Promise<void> {
    if (data.tag) return;
    const iid = mergeRequestIidOf(data.ref);
    const meant =
      iid === undefined
        ? { sourceProjectId: data.project_id, sourceBranch: data.ref }
        : { projectId: data.project_id, iid };
    const waiting = await this.mergeRequests.model
      .find({ ...meant, state: 'opened', autoMerge: { $ne: null } })
      .lean<MergeRequestDocument[]>();
    for (const mergeRequest of waiting) await this.mergeIfDone(mergeRequest);
  }

  /** The pipeline may have succeeded long ago. */
  @OnEvent(mergeRequestChanged, 'AutoMerges-onApproved')
  async onApproved({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    if (data.action === 'approved') await this.wake(data.merge_request.id);
  }

  /** Tries all waiting merges: a blocker may have ended without an event after the pipeline succeeded. */
  async wakeAll(): Promise<void> {
    // Matches the partial index.
    const promised: object = { 'autoMerge.userId': { $gt: 0 } };
    const waiting = await this.mergeRequests.model.find(promised, { _id: 1 }).lean<{ _id: number }[]>();
    for (const { _id } of waiting) await this.wake(_id);
  }

  /** Merges a waiting merge request if its pipeline has succeeded and nothing blocks it. Never throws. */
  async wake(id: number): Promise<void> {
    await this.retry(id).catch((error: unknown) =>
      this.log.warn(`the auto-merge of merge request ${id} failed: ${error}`),
    );
  }

  private async retry(id: number): Promise<void> {
    const found = await this.mergeRequests.find(id);
    if (found) await this.mergeIfDone(found);
  }

  private async mergeIfDone(found: MergeRequestDocument): Promise<void> {
    const actor = await this.findPromiser(found);
    if (!actor) return;
    const pipeline = await this.pipelines.findLatest(found, actor.project, actor.caller);
    if (pipeline?.status === 'success') await this.mergeIfPossible(found, actor, pipeline.sha);
  }

  private async findPromiser({ projectId, autoMerge }: MergeRequestDocument): Promise<Actor | undefined> {
    return autoMerge ? this.acting.findActive(projectId, autoMerge.userId) : undefined;
  }

  private async mergeIfPossible(found: MergeRequestDocument, actor: Actor, sha: string): Promise<void> {
    if (found.isDraft) return;
    const { caller, project } = actor;
    const facts = await this.git.check(found, project, caller);
    if (facts.head_sha !== sha || facts.status !== 'can_be_merged' || !facts.can_merge) return;
    const settings = await this.settings.read(project, caller);
    if (await this.blocking.isBlocked(found, settings)) return;
    if (!(await this.approvals.areMetAt(found, sha))) return;
    if (!(await this.checks.areMetAt(found, sha, settings))) return;
    const order = { ...present(found.autoMerge, 'the wish to merge'), sha, method: settings.merge_method };
    await this.merging.start(found, knownFrom(facts, found), order, actor).catch((error: unknown) => {
      // The error is stored in merge_error, or another process merged it.
      if (!(error instanceof OperationError)) throw error;
      this.log.warn(`merge request ${found._id} was not merged automatically: ${error.message}`);
    });
  }
}
