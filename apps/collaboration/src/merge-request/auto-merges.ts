import {
  type EventData,
  type EventRecord,
  mergeRequestErrors,
  OperationError,
  pipelineChanged,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import { ActingUser } from './acting-user';
import { BlockingDiscussions } from './blocking-discussions';
import { knownFrom } from './branch-facts';
import { MergeRequests } from './merge-request.repository';
import type { AutoMerge, MergeRequestDocument } from './merge-request.schema';
import { MergeRequestGit } from './merge-request-git';
import { MergeRequestKind } from './merge-request-kind';
import { MergeSettingsOf } from './merge-settings';
import { PerformMerge } from './perform-merge';

/** Merges that wait for a pipeline. Source of the words: clarifications B.2. */
@Injectable()
export class AutoMerges {
  private readonly log = new Logger(AutoMerges.name);

  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly git: MergeRequestGit,
    private readonly acting: ActingUser,
    private readonly settings: MergeSettingsOf,
    private readonly blocking: BlockingDiscussions,
    private readonly merging: PerformMerge,
  ) {}

  /** @param sha tip of the source, whose pipeline is waited for */
  promise(found: MergeRequestDocument, autoMerge: AutoMerge, sha: string): Promise<MergeRequestDocument> {
    const note = `enabled an automatic merge when the pipeline for ${sha.slice(0, 8)} succeeds`;
    return this.set(found, autoMerge, note, autoMerge.userId);
  }

  /** @throws merge_request.not_mergeable where it does not wait */
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

  @OnEvent(pipelineChanged)
  async onPipeline({ data }: EventRecord<EventData<typeof pipelineChanged>>): Promise<void> {
    if (data.status !== 'success' || data.tag) return;
    const waiting = await this.mergeRequests.model
      .find({ sourceProjectId: data.project_id, sourceBranch: data.ref, state: 'opened', autoMerge: { $ne: null } })
      .lean<MergeRequestDocument[]>();
    for (const mergeRequest of waiting) await this.keep(mergeRequest, mergeRequest.autoMerge!, data.sha);
  }

  private async keep(found: MergeRequestDocument, autoMerge: AutoMerge, sha: string): Promise<void> {
    const actor = await this.acting.in(found.projectId, autoMerge.userId);
    if (!actor || found.isDraft) return;
    const { caller, project } = actor;
    const facts = await this.git.check(found, project, caller);
    if (facts.head_sha !== sha || facts.status !== 'can_be_merged' || !facts.can_merge) return;
    if ((await this.blocking.on([found], new Map([[project.id, project]]), caller)).size > 0) return;
    const { merge_method: method } = await this.settings.project(project, caller);
    const order = { ...autoMerge, sha, method };
    await this.merging.start(found, knownFrom(facts, found), order, actor).catch((error: unknown) => {
      // It stands in merge_error, or somebody else has merged it.
      if (!(error instanceof OperationError)) throw error;
      this.log.warn(`merge request ${found._id} was not merged by itself: ${error.message}`);
    });
  }
}
