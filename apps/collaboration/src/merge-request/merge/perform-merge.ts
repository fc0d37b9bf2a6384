import { commonErrors, mergeRequestErrors, OperationError, present } from '@moothall/contracts';
import { persistently } from '@moothall/database';
import { Injectable, Logger } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { Actor } from '../../user/acting-user';
import type { Known } from '../mergeability/branch-facts';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import type { MergeOrder, MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { defaultMergeMessage } from './merge-message';

/** Errors after which git may have merged or not. */
const unknownOutcomes = new Set([commonErrors.timeout.code, commonErrors.unavailable.code, commonErrors.internal.code]);

type Order = Omit<MergeOrder, 'startedAt'>;

/**
 * Merges so that an interruption leaves nothing half-done: it stores a write-ahead record that locks the merge request,
 * git merges (idempotent), then it stores the result.
 */
@Injectable()
export class PerformMerge {
  private readonly log = new Logger(PerformMerge.name);

  constructor(
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly git: MergeRequestGit,
  ) {}

  /** @throws merge_request.not_mergeable if another process was first; the errors of git's refusal */
  async start(found: MergeRequestDocument, known: Known, order: Order, actor: Actor): Promise<MergeRequestDocument> {
    const locked = await this.kind.model
      .findOneAndUpdate(
        { _id: found._id, revision: found.revision, state: 'opened' },
        {
          $set: {
            ...known,
            state: 'locked',
            merging: { ...order, startedAt: new Date() },
            autoMerge: null,
            mergeError: null,
          },
          $inc: { revision: 1 },
        },
        { returnDocument: 'after' },
      )
      .lean<MergeRequestDocument>();
    if (!locked) throw mergeRequestErrors.notMergeable();
    return this.finish(locked, actor);
  }

  /** Completes a locked merge request. Idempotent. */
  async finish(locked: MergeRequestDocument, actor: Actor): Promise<MergeRequestDocument> {
    const order = present(locked.merging, 'the order of a locked merge request');
    const result = await this.mergeInGit(locked, actor, order).catch((error: unknown) => this.giveUp(locked, error));
    const merged = {
      mergeCommitSha: result.merge_commit_sha ?? result.target_sha,
      squashCommitSha: result.squash_commit_sha,
      mergedById: actor.caller.id,
      mergedAt: new Date(),
      mergeStatus: 'can_be_merged',
      headSha: order.sha,
      openKey: null,
      merging: null,
    };
    const patchOf = ({ state }: MergeRequestDocument) =>
      state === 'locked' ? { state: 'merged', silent: merged } : {};
    return persistently(() => this.changes.change(this.kind, locked, patchOf, { userId: actor.caller.id }));
  }

  private mergeInGit(locked: MergeRequestDocument, { project, caller }: Actor, order: MergeOrder) {
    return this.git.merge(locked, project, caller, {
      sha: order.sha,
      message: order.message ?? defaultMergeMessage(locked, project),
      method: order.method,
      squash: order.squash,
      squash_message: order.squash ? (order.squashMessage ?? locked.title) : undefined,
      remove_source_branch: order.removesSourceBranch,
    });
  }

  /** Reopens it if git refused. If git did not answer, the outcome is unknown, and it is retried later. */
  private async giveUp(locked: MergeRequestDocument, error: unknown): Promise<never> {
    const isRefused = error instanceof OperationError && !unknownOutcomes.has(error.code);
    if (isRefused) await this.reopen(locked, error.message);
    else this.log.warn(`merge request ${locked._id} stays locked: ${error}`);
    throw error;
  }

  async reopen({ _id }: MergeRequestDocument, mergeError: string): Promise<void> {
    const opened = { state: 'opened', merging: null, mergeError, mergeStatus: 'unchecked' } as const;
    const update = { $set: opened, $inc: { revision: 1 } };
    await persistently(() => this.kind.model.updateOne({ _id, state: 'locked' }, update).exec());
  }
}
