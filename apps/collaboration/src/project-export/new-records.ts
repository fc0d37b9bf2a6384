import type { ExportedIssue, ExportedMergeRequest, ExportedNote } from '@moothall/contracts';
import type { z } from 'zod';
import type { Award } from '../activity/awardable';
import { type NoteSubject, newNote } from '../activity/new-note';
import type { NoteDocument } from '../activity/note.schema';
import type { IssueDocument } from '../issue/issue.schema';
import type { ApprovalRule } from '../merge-request/record/approval-settings.schema';
import { isDraftTitle } from '../merge-request/record/draft';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { openKeyOf } from '../merge-request/record/open-key';

type Issue = z.infer<typeof ExportedIssue>;
type MergeRequest = z.infer<typeof ExportedMergeRequest>;
type Note = z.infer<typeof ExportedNote>;

/** Ids of the records that an archive names. */
export interface Placed {
  _id: number;
  projectId: number;
  labelIds: number[];
  milestoneId: number | null;
  awards: Award[];
}

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const newIssuable = (record: Issue | MergeRequest, placed: Placed) => ({
  ...placed,
  iid: record.iid,
  revision: 0,
  title: record.title,
  description: record.description,
  authorId: record.author_id,
  assigneeIds: record.assignee_ids,
  participantIds: record.participant_ids,
  subscriberIds: [],
  unsubscriberIds: [],
  confidential: record.confidential,
  discussionLocked: record.discussion_locked,
  timeEstimate: record.time_estimate,
  timeSpent: record.time_spent,
  userNotesCount: record.user_notes_count,
  createdAt: new Date(record.created_at),
  updatedAt: new Date(record.updated_at),
  closedAt: timeOf(record.closed_at),
  closedById: record.closed_by_id,
  stateChanges: record.state_changes.map(({ action, at }) => ({ action, at: new Date(at) })),
});

/** In their complete stored form: they are inserted without Mongoose and its defaults. */
export const newIssue = (issue: Issue, placed: Placed, iterationId: number | null): IssueDocument => ({
  ...newIssuable(issue, placed),
  state: issue.state,
  dueDate: issue.due_date,
  weight: issue.weight,
  ...(iterationId !== null && { iterationId }),
  epicId: null,
  epicPosition: null,
  relativePosition: issue.relative_position,
  closingMergeRequestIds: [],
  movedToId: null,
});

export function newMergeRequest(
  record: MergeRequest,
  placed: Placed,
  approvalRules: ApprovalRule[] | null,
): MergeRequestDocument {
  const branches = {
    projectId: placed.projectId,
    sourceProjectId: record.is_own_source ? placed.projectId : null,
    sourceBranch: record.source_branch,
    targetBranch: record.target_branch,
  };
  return {
    ...newIssuable(record, placed),
    ...branches,
    state: record.state,
    // Several merge requests of deleted forks may have the same branch names.
    openKey: record.state === 'opened' && record.is_own_source ? openKeyOf(branches) : null,
    isDraft: isDraftTitle(record.title),
    reviewerIds: record.reviewer_ids,
    approvals: record.approvals.map(({ user_id, at }) => ({ userId: user_id, at: new Date(at) })),
    approvalRules,
    squash: record.squash,
    removesSourceBranch: record.removes_source_branch,
    allowsCollaboration: record.allows_collaboration,
    mergeStatus: record.is_own_source ? 'unchecked' : 'cannot_be_merged',
    hasConflicts: false,
    headSha: record.head_sha,
    baseSha: record.base_sha,
    startSha: record.start_sha,
    changesCount: record.changes_count,
    closesIssueIids: record.closes_issue_iids,
    mergeError: null,
    mergeCommitSha: record.merge_commit_sha,
    squashCommitSha: record.squash_commit_sha,
    mergedById: record.merged_by_id,
    mergedAt: timeOf(record.merged_at),
    merging: null,
    autoMerge: null,
  };
}

export function newImportedNote(note: Note, on: NoteSubject, awards: Award[]): NoteDocument {
  const { id, body, author_id: authorId, system, confidential, discussion_id, position } = note;
  const written = newNote(on, { id, body, authorId, at: new Date(note.created_at), system, confidential });
  return {
    ...written,
    awards,
    updatedAt: new Date(note.updated_at),
    ...(discussion_id !== null && { discussionId: discussion_id }),
    ...(position && { position }),
    ...(note.is_unresolved && on.type === 'MergeRequest' && { unresolvedOn: on.id }),
    ...(note.resolved_at !== null && { resolvedAt: new Date(note.resolved_at) }),
    ...(note.resolved_by_id !== null && { resolvedById: note.resolved_by_id }),
  };
}
