import type { DetailedMergeStatus, PipelineStatus } from '@moothall/contracts';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { isActive } from './head-pipeline';
import type { MergeSettings } from './merge-settings';

type Facts = Pick<
  MergeRequestDocument,
  'state' | 'mergeStatus' | 'isDraft' | 'hasConflicts' | 'headSha' | 'baseSha' | 'startSha'
>;

/** The blocker in the merge request itself, before project settings apply; undefined if there is none. */
export function ownStatus(mergeRequest: Facts): DetailedMergeStatus | undefined {
  const { state, mergeStatus, isDraft, hasConflicts } = mergeRequest;
  if (state !== 'opened') return 'not_open';
  if (mergeStatus === 'unchecked' || mergeStatus === 'checking') return mergeStatus;
  if (isDraft) return 'draft_status';
  if (hasConflicts) return 'conflict';
  return mergeStatus === 'cannot_be_merged' ? 'commits_status' : undefined;
}

/** The blocker by project settings. @param pipeline of the head, if there is one */
export function statusBySettings(
  { baseSha, startSha }: Facts,
  settings: MergeSettings,
  isBlocked: boolean,
  pipeline: { status: PipelineStatus } | undefined,
): DetailedMergeStatus {
  if (isBlocked) return 'discussions_not_resolved';
  // Both methods are fast-forward: the target must not have moved on.
  if (settings.merge_method !== 'merge' && baseSha !== startSha) return 'need_rebase';
  if (hasNeededPipeline(pipeline, settings)) return 'mergeable';
  return pipeline && isActive(pipeline) ? 'ci_still_running' : 'ci_must_pass';
}

/** Whether the pipeline meets the project's requirement for a merge. */
export function hasNeededPipeline(pipeline: { status: PipelineStatus } | undefined, settings: MergeSettings): boolean {
  if (!settings.only_allow_merge_if_pipeline_succeeds || pipeline?.status === 'success') return true;
  return pipeline?.status === 'skipped' && settings.allow_merge_on_skipped_pipeline === true;
}
