import type { DetailedMergeStatus, PipelineStatus } from '@moothall/contracts';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { isActive } from './head-pipeline';
import type { MergeSettings } from './merge-settings';

type Facts = Pick<
  MergeRequestDocument,
  'state' | 'mergeStatus' | 'isDraft' | 'hasConflicts' | 'headSha' | 'baseSha' | 'startSha'
>;

/** What keeps a merge request from being merged before its project has a say; undefined where nothing does. */
export function ownStatus(mergeRequest: Facts): DetailedMergeStatus | undefined {
  const { state, mergeStatus, isDraft, hasConflicts } = mergeRequest;
  if (state !== 'opened') return 'not_open';
  if (mergeStatus === 'unchecked' || mergeStatus === 'checking') return mergeStatus;
  if (isDraft) return 'draft_status';
  if (hasConflicts) return 'conflict';
  return mergeStatus === 'cannot_be_merged' ? 'commits_status' : undefined;
}

/** What its project's settings make of one that nothing else keeps. @param pipeline of the head, where there is one */
export function statusBySettings(
  { baseSha, startSha }: Facts,
  settings: MergeSettings,
  isBlocked: boolean,
  pipeline: { status: PipelineStatus } | undefined,
): DetailedMergeStatus {
  if (isBlocked) return 'discussions_not_resolved';
  // Both merge by moving the target on, which it has to be behind for.
  if (settings.merge_method !== 'merge' && baseSha !== startSha) return 'need_rebase';
  if (hasNeededPipeline(pipeline, settings)) return 'mergeable';
  return pipeline && isActive(pipeline) ? 'ci_still_running' : 'ci_must_pass';
}

/** Whether the pipeline is as the project wants it before a merge. */
export function hasNeededPipeline(pipeline: { status: PipelineStatus } | undefined, settings: MergeSettings): boolean {
  if (!settings.only_allow_merge_if_pipeline_succeeds || pipeline?.status === 'success') return true;
  return pipeline?.status === 'skipped' && settings.allow_merge_on_skipped_pipeline === true;
}
