import { z } from 'zod';
import { Pipeline, PipelineSummary } from '../../ci/pipeline';
import { UserSummary } from '../../identity/user';
import { id, time } from '../../operation';
import { Diff } from '../../repository/commit-view';
import { References, TaskStatus, TimeStats } from '../issuable/issuable-view';
import { BasicLabel } from '../label/label';
import { Milestone } from '../milestone/milestone-view';

/** locked: it is being merged. */
export const mergeRequestStates = ['opened', 'closed', 'locked', 'merged'] as const;
export type MergeRequestState = (typeof mergeRequestStates)[number];

export const mergeStatuses = ['unchecked', 'checking', 'can_be_merged', 'cannot_be_merged'] as const;
export type MergeStatus = (typeof mergeStatuses)[number];

/** The statuses of v4 servers that are possible here. */
export const detailedMergeStatuses = [
  'unchecked',
  'checking',
  'mergeable',
  'not_open',
  'draft_status',
  'conflict',
  'commits_status',
  'discussions_not_resolved',
  'not_approved',
  'need_rebase',
  'status_checks_must_pass',
  'ci_must_pass',
  'ci_still_running',
] as const;
export type DetailedMergeStatus = (typeof detailedMergeStatuses)[number];

/** The fields of `view=simple`. */
export const SimpleMergeRequest = z.object({
  id,
  iid: id,
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(mergeRequestStates),
  created_at: time,
  updated_at: time,
  web_url: z.string(),
});

/** Commits between which the changes are: merge base, tip of the source, tip of the target. */
export const DiffRefs = z.object({
  base_sha: z.string().nullable(),
  head_sha: z.string().nullable(),
  start_sha: z.string().nullable(),
});

/** See docs/api/merge-requests.md#7. */
export const MergeRequest = SimpleMergeRequest.extend({
  merged_by: UserSummary.nullable(),
  merge_user: UserSummary.nullable().describe('Newer name of merged_by'),
  merged_at: time.nullable(),
  closed_by: UserSummary.nullable(),
  closed_at: time.nullable(),
  target_branch: z.string(),
  source_branch: z.string(),
  user_notes_count: z.int(),
  upvotes: z.int(),
  downvotes: z.int(),
  author: UserSummary,
  assignees: z.array(UserSummary),
  assignee: UserSummary.nullable(),
  reviewers: z.array(UserSummary),
  source_project_id: id.nullable().describe('Null if the fork was deleted'),
  target_project_id: id,
  labels: z.union([z.array(z.string()), z.array(BasicLabel)]).describe('Names; whole labels with with_labels_details'),
  work_in_progress: z.boolean(),
  draft: z.boolean().describe('Newer name of work_in_progress'),
  milestone: Milestone.nullable(),
  merge_when_pipeline_succeeds: z.boolean(),
  merge_status: z.enum(mergeStatuses),
  detailed_merge_status: z.enum(detailedMergeStatuses).describe('Why it cannot be merged, or mergeable'),
  prepared_at: time.nullable().describe('When its branches were first looked at'),
  sha: z.string().nullable().describe('Tip of the source branch'),
  merge_commit_sha: z.string().nullable(),
  squash_commit_sha: z.string().nullable(),
  discussion_locked: z.boolean().nullable(),
  should_remove_source_branch: z.boolean().nullable(),
  force_remove_source_branch: z.boolean().nullable(),
  allow_collaboration: z.boolean(),
  allow_maintainer_to_push: z.boolean(),
  reference: z.string(),
  references: References,
  time_stats: TimeStats,
  squash: z.boolean(),
  task_completion_status: TaskStatus,
  has_conflicts: z.boolean(),
  blocking_discussions_resolved: z.boolean(),
  approvals_before_merge: z.int().nullable().optional().describe('Enterprise edition only'),
  subscribed: z
    .boolean()
    .optional()
    .describe('This field and the following ones are in answers with a single merge request'),
  changes_count: z.string().nullable().optional(),
  latest_build_started_at: time.nullable().optional(),
  latest_build_finished_at: time.nullable().optional(),
  first_deployed_to_production_at: z.null().optional(),
  pipeline: PipelineSummary.nullable().optional(),
  head_pipeline: Pipeline.nullable().optional(),
  diff_refs: DiffRefs.nullable().optional(),
  merge_error: z.string().nullable().optional(),
  user: z.object({ can_merge: z.boolean() }).optional(),
  rebase_in_progress: z.boolean().optional(),
  diverged_commits_count: z.int().optional().describe('Commits the source branch lacks'),
  first_contribution: z.boolean().optional(),
});
export type MergeRequest = z.infer<typeof MergeRequest>;

export const MergeRequestChanges = MergeRequest.extend({
  changes: z.array(Diff),
  overflow: z.boolean().describe('Some texts were left out for their size'),
});

/** The merge request as it was after a push. */
export const MergeRequestVersion = z.object({
  id,
  head_commit_sha: z.string(),
  base_commit_sha: z.string().nullable(),
  start_commit_sha: z.string().nullable(),
  created_at: time,
  merge_request_id: id,
  state: z.literal('collected'),
  real_size: z.string().nullable().describe('Number of changed files, with a + where limits left some out'),
});
export type MergeRequestVersion = z.infer<typeof MergeRequestVersion>;
