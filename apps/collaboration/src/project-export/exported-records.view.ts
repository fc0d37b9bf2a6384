import type {
  ExportedApprovalRule,
  ExportedCommit,
  ExportedIssue,
  ExportedMergeRequest,
  ExportedNote,
  ExportedSnippet,
  NoteableType,
} from '@moothall/contracts';
import type { z } from 'zod';
import type { Award } from '../activity/awardable';
import type { NoteDocument } from '../activity/note.schema';
import type { NotedCommitDocument } from '../commit/noted-commit.schema';
import type { Issuable } from '../issuable/issuable';
import type { IssueDocument } from '../issue/issue.schema';
import type { MergeRequestDocument, MergeRequestVersionDocument } from '../merge-request/record/merge-request.schema';
import { known, titleOf } from '../plan-archive/exported-plan.view';
import type { SnippetDocument } from '../snippet/snippet.schema';
import type { EventNames } from './archived-events';

/** Kinds of records in projects that have notes. */
export const notedTypes = ['Issue', 'MergeRequest', 'Snippet', 'Commit'] as const satisfies NoteableType[];

const timeOf = (date: Date | null | undefined): string | null => date?.toISOString() ?? null;

const exportAwards = (awards: Award[] | undefined) =>
  (awards ?? []).map(({ name, userId, createdAt }) => ({ name, user_id: userId, created_at: createdAt.toISOString() }));

/** Fields that issues and merge requests share. */
const exportIssuable = (record: Issuable & { timeEstimate: number; timeSpent: number }, titles: EventNames) => ({
  iid: record.iid,
  title: record.title,
  description: record.description,
  author_id: record.authorId,
  assignee_ids: record.assigneeIds,
  participant_ids: record.participantIds,
  label_titles: known(record.labelIds, titles.labels),
  milestone_title: titleOf(record.milestoneId, titles.milestones),
  confidential: record.confidential,
  discussion_locked: record.discussionLocked,
  time_estimate: record.timeEstimate,
  time_spent: record.timeSpent,
  user_notes_count: record.userNotesCount,
  created_at: record.createdAt.toISOString(),
  updated_at: record.updatedAt.toISOString(),
  closed_at: timeOf(record.closedAt),
  closed_by_id: record.closedById,
  state_changes: (record.stateChanges ?? []).map(({ action, at }) => ({ action, at: at.toISOString() })),
  awards: exportAwards(record.awards),
});

export const exportIssue = (issue: IssueDocument, titles: EventNames): z.infer<typeof ExportedIssue> => ({
  ...exportIssuable(issue, titles),
  state: issue.state,
  due_date: issue.dueDate,
  weight: issue.weight,
  relative_position: issue.relativePosition,
  iteration: titles.iterations.get(issue.iterationId ?? 0) ?? null,
});

export const exportMergeRequest = (
  record: MergeRequestDocument,
  titles: EventNames,
  versions: MergeRequestVersionDocument[],
  approvalRules: ExportedApprovalRule[] | null,
): z.infer<typeof ExportedMergeRequest> => ({
  ...exportIssuable(record, titles),
  // A merge request that is being merged is exported as open.
  state: record.state === 'locked' ? 'opened' : record.state,
  source_branch: record.sourceBranch,
  target_branch: record.targetBranch,
  is_own_source: record.sourceProjectId === record.projectId,
  reviewer_ids: record.reviewerIds,
  approvals: (record.approvals ?? []).map(({ userId, at }) => ({ user_id: userId, at: at.toISOString() })),
  approval_rules: approvalRules,
  squash: record.squash,
  removes_source_branch: record.removesSourceBranch,
  allows_collaboration: record.allowsCollaboration,
  head_sha: record.headSha,
  base_sha: record.baseSha,
  start_sha: record.startSha,
  changes_count: record.changesCount,
  closes_issue_iids: record.closesIssueIids,
  merge_commit_sha: record.mergeCommitSha,
  squash_commit_sha: record.squashCommitSha,
  merged_by_id: record.mergedById,
  merged_at: timeOf(record.mergedAt),
  versions: versions.map((version) => ({
    head_sha: version.headSha,
    base_sha: version.baseSha,
    start_sha: version.startSha,
    created_at: version.createdAt.toISOString(),
  })),
});

export const exportSnippet = (snippet: SnippetDocument): z.infer<typeof ExportedSnippet> => ({
  id: snippet._id,
  title: snippet.title,
  description: snippet.description,
  author_id: snippet.authorId,
  visibility: snippet.visibility,
  files: snippet.files,
  user_notes_count: snippet.userNotesCount,
  created_at: snippet.createdAt.toISOString(),
  updated_at: snippet.updatedAt.toISOString(),
  awards: exportAwards(snippet.awards),
});

export const exportCommit = (commit: NotedCommitDocument): z.infer<typeof ExportedCommit> => ({
  sha: commit.sha,
  title: commit.title,
  user_notes_count: commit.userNotesCount,
  created_at: commit.createdAt.toISOString(),
  updated_at: commit.updatedAt.toISOString(),
});

export const exportNote = (note: NoteDocument): z.infer<typeof ExportedNote> => ({
  id: note._id,
  discussion_id: note.discussionId ?? null,
  noteable_type: notedTypes.find((type) => type === note.noteableType) ?? 'Issue',
  noteable_iid: note.noteableIid ?? note.noteableId,
  ...(note.commitId !== undefined && { commit_sha: note.commitId }),
  body: note.body,
  author_id: note.authorId,
  system: note.system,
  confidential: note.confidential,
  position: note.position ?? null,
  is_unresolved: note.unresolvedOn !== undefined,
  resolved_at: timeOf(note.resolvedAt),
  resolved_by_id: note.resolvedById ?? null,
  created_at: note.createdAt.toISOString(),
  updated_at: note.updatedAt.toISOString(),
  awards: exportAwards(note.awards),
});
