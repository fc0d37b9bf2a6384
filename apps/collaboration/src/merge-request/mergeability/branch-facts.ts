import type { MergeRequestDocument } from '../record/merge-request.schema';
import type { BranchFacts } from './merge-request-git';

/** Stored state of a merge request's branches. */
export type Known = Pick<MergeRequestDocument, 'mergeStatus' | 'hasConflicts' | 'headSha' | 'baseSha' | 'startSha'>;

/**
 * The fields that are stored from git's answer. If a branch is gone, its last commits stay, so the merge request can
 * still be shown.
 */
export function knownFrom(facts: BranchFacts, before?: Known): Known {
  const isWhole = facts.head_sha !== null && facts.start_sha !== null;
  return {
    mergeStatus: facts.status === 'can_be_merged' ? 'can_be_merged' : 'cannot_be_merged',
    hasConflicts: facts.status === 'conflict',
    headSha: facts.head_sha ?? before?.headSha ?? null,
    baseSha: isWhole ? facts.base_sha : (before?.baseSha ?? null),
    startSha: isWhole ? facts.start_sha : (before?.startSha ?? null),
  };
}
