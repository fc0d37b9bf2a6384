import type {
  DetailedMergeStatus,
  MergeRequest,
  Milestone,
  ProjectRef,
  SimpleMergeRequest,
  UserSummary,
} from '@moothall/contracts';
import type { z } from 'zod';
import { downvotes, upvotes } from '../../activity/awardable';
import { countTasks } from '../../issuable/task-status';
import { viewTimeStats } from '../../issuable/time-tracking';
import type { LabelDocument } from '../../label/label.schema';
import { viewBasicLabel } from '../../label/label.view';
import type { Urls } from '../../parent/urls';
import { summaryFrom } from '../../user/summaries';
import type { MergeRequestDocument } from '../record/merge-request.schema';

/** Records that merge requests refer to, by id. */
export interface MergeRequestReferences {
  projects: ReadonlyMap<number, ProjectRef>;
  users: ReadonlyMap<number, UserSummary>;
  labels: ReadonlyMap<number, LabelDocument>;
  milestones: ReadonlyMap<number, Milestone>;
  /** Merge requests that discussions block. */
  blocked: ReadonlySet<number>;
  statuses: ReadonlyMap<number, DetailedMergeStatus>;
}

type SimpleView = z.input<typeof SimpleMergeRequest>;

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

export const viewSimpleMergeRequest = (
  { _id, iid, projectId, title, description, state, createdAt, updatedAt }: MergeRequestDocument,
  project: ProjectRef,
  urls: Urls,
): SimpleView => ({
  id: _id,
  iid,
  project_id: projectId,
  title,
  description,
  state,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
  web_url: `${urls.project(project)}/-/merge_requests/${iid}`,
});

/** See docs/api/merge-requests.md#7. */
export function viewMergeRequest(
  mergeRequest: MergeRequestDocument,
  project: ProjectRef,
  references: MergeRequestReferences,
  urls: Urls,
  options: { withLabelDetails: boolean; hasTiers: boolean },
): MergeRequest {
  const person = (id: number) => summaryFrom(references.users, id);
  const assignees = mergeRequest.assigneeIds.map(person);
  const mergedBy = mergeRequest.mergedById === null ? null : person(mergeRequest.mergedById);
  const { milestoneId, closedById } = mergeRequest;
  const simple = viewSimpleMergeRequest(mergeRequest, project, urls);
  // Without object spreads, which would cost more than everything else. Undefined fields are left out of the answer.
  return {
    id: simple.id,
    iid: simple.iid,
    project_id: simple.project_id,
    title: simple.title,
    description: simple.description,
    state: simple.state,
    created_at: simple.created_at,
    updated_at: simple.updated_at,
    web_url: simple.web_url,
    merged_by: mergedBy,
    merge_user: mergedBy,
    merged_at: timeOf(mergeRequest.mergedAt),
    closed_by: closedById === null ? null : person(closedById),
    closed_at: timeOf(mergeRequest.closedAt),
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    user_notes_count: mergeRequest.userNotesCount,
    upvotes: upvotes(mergeRequest),
    downvotes: downvotes(mergeRequest),
    author: person(mergeRequest.authorId),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: mergeRequest.reviewerIds.map(person),
    source_project_id: mergeRequest.sourceProjectId,
    target_project_id: mergeRequest.projectId,
    labels: viewLabels(mergeRequest, references, options.withLabelDetails),
    work_in_progress: mergeRequest.isDraft,
    draft: mergeRequest.isDraft,
    milestone: milestoneId === null ? null : (references.milestones.get(milestoneId) ?? null),
    merge_when_pipeline_succeeds: mergeRequest.autoMerge !== null,
    merge_status: mergeRequest.mergeStatus,
    detailed_merge_status: references.statuses.get(mergeRequest._id) ?? 'unchecked',
    prepared_at: timeOf(mergeRequest.createdAt),
    sha: mergeRequest.headSha,
    merge_commit_sha: mergeRequest.mergeCommitSha,
    squash_commit_sha: mergeRequest.squashCommitSha,
    discussion_locked: mergeRequest.discussionLocked,
    should_remove_source_branch: mergeRequest.autoMerge?.removesSourceBranch ?? null,
    force_remove_source_branch: mergeRequest.removesSourceBranch,
    allow_collaboration: mergeRequest.allowsCollaboration,
    allow_maintainer_to_push: mergeRequest.allowsCollaboration,
    reference: `!${mergeRequest.iid}`,
    references: {
      short: `!${mergeRequest.iid}`,
      relative: `!${mergeRequest.iid}`,
      full: `${project.fullPath}!${mergeRequest.iid}`,
    },
    time_stats: viewTimeStats(mergeRequest),
    squash: mergeRequest.squash,
    task_completion_status: countTasks(mergeRequest.description),
    has_conflicts: mergeRequest.hasConflicts,
    blocking_discussions_resolved: !references.blocked.has(mergeRequest._id),
    approvals_before_merge: options.hasTiers ? null : undefined,
  };
}

function viewLabels(
  { labelIds }: MergeRequestDocument,
  { labels }: MergeRequestReferences,
  withDetails: boolean,
): MergeRequest['labels'] {
  // A label that was just deleted is left out.
  const known = labelIds.flatMap((id) => labels.get(id) ?? []).sort((a, b) => (a.title < b.title ? -1 : 1));
  return withDetails ? known.map(viewBasicLabel) : known.map(({ title }) => title);
}
