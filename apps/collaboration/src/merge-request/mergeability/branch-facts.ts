import type { MergeRequestDocument } from '../record/merge-request.schema';
import type { BranchFacts } from './merge-request-git';

/** What a merge request knows of its branches. */
export type Known = Pick<MergeRequestDocument, 'mergeStatus' | 'hasConflicts' | 'headSha' | 'baseSha' | 'startSha'>;

/**
 * What a merge request keeps of git's answer. Where a branch is gone, the commits known last stay, so that what was
 * asked to be merged can still be seen.
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
