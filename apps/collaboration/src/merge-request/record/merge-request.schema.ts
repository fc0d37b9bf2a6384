import {
  type MergeRequestState,
  type MergeStatus,
  mostApprovalRules,
  mostContextCommits,
  type ProjectSettings,
} from '@moothall/contracts';
import { outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { awardable } from '../../activity/awardable';
import { type Issuable, issuableFields } from '../../issuable/issuable';
import { journaled } from '../../journal/journal';
import { mostPeople } from '../../user/most-people';
import { type ApprovalRule, approvalRuleFields } from './approval-settings.schema';
import { followed } from './closing-references';

export interface MergeRequestDocument extends Issuable {
  /** The target project. */
  projectId: number;
  /** Null once the fork is deleted. */
  sourceProjectId: number | null;
  sourceBranch: string;
  targetBranch: string;
  state: MergeRequestState;
  /**
   * Digest of its branches while it is open or being merged, else null: at most one merge request is open per pair of
   * branches. A digest, because branch names may exceed the limit of index keys.
   */
  openKey: string | null;
  /** Derived from the title. */
  isDraft: boolean;
  reviewerIds: number[];
  /** Oldest first; absent in documents of older versions. */
  approvals?: { userId: number; at: Date }[];
  /** Overrides the project's rules; null or absent if it does not. */
  approvalRules?: ApprovalRule[] | null;
  /** Context commits; absent for none. */
  contextCommitShas?: string[];
  squash: boolean;
  removesSourceBranch: boolean | null;
  allowsCollaboration: boolean;
  /** Seconds. */
  timeEstimate: number;
  timeSpent: number;
  /** Git's last answer. */
  mergeStatus: MergeStatus;
  hasConflicts: boolean;
  headSha: string | null;
  baseSha: string | null;
  startSha: string | null;
  /** Number of changed files, with a + if limits cut the list; null until first requested. */
  changesCount: string | null;
  /** Numbers of the issues that store this merge request as closing them. */
  closesIssueIids: number[];
  mergeError: string | null;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
  mergedById: number | null;
  mergedAt: Date | null;
  /**
   * Write-ahead record of a merge: set when it starts, cleared when it is done; an interrupted merge is completed from
   * it.
   */
  merging: MergeOrder | null;
  /** Set while it is scheduled to be merged after its pipeline. */
  autoMerge: AutoMerge | null;
}

/** Options of a scheduled merge. */
export interface AutoMerge {
  userId: number;
  message: string | null;
  squashMessage: string | null;
  squash: boolean;
  removesSourceBranch: boolean;
}

export interface MergeOrder extends AutoMerge {
  /** Head of the source branch to merge. */
  sha: string;
  method: ProjectSettings['merge_method'];
  startedAt: Date;
}

const plain = { type: Object, default: null };

export const mergeRequestSchema = new Schema<MergeRequestDocument>(
  {
    ...issuableFields,
    projectId: { type: Number, required: true },
    sourceProjectId: { type: Number, default: null },
    sourceBranch: { type: String, required: true },
    targetBranch: { type: String, required: true },
    openKey: { type: String, default: null },
    isDraft: { type: Boolean, default: false },
    reviewerIds: { type: [Number], default: [], most: mostPeople },
    approvals: { type: [{ _id: false, userId: Number, at: Date }], default: [], most: mostPeople },
    approvalRules: { type: [approvalRuleFields], default: null, most: mostApprovalRules },
    contextCommitShas: { type: [String], default: undefined, most: mostContextCommits },
    squash: { type: Boolean, default: false },
    removesSourceBranch: { type: Boolean, default: null },
    allowsCollaboration: { type: Boolean, default: false },
    timeEstimate: { type: Number, default: 0 },
    timeSpent: { type: Number, default: 0 },
    mergeStatus: { type: String, default: 'unchecked' },
    hasConflicts: { type: Boolean, default: false },
    headSha: { type: String, default: null },
    baseSha: { type: String, default: null },
    startSha: { type: String, default: null },
    changesCount: { type: String, default: null },
    closesIssueIids: { type: [Number], default: [], most: followed },
    mergeError: { type: String, default: null },
    mergeCommitSha: { type: String, default: null },
    squashCommitSha: { type: String, default: null },
    mergedById: { type: Number, default: null },
    mergedAt: { type: Date, default: null },
    merging: plain,
    autoMerge: plain,
  },
  { collection: 'merge_requests', timestamps: false },
);
// Look-up by number in the project.
mergeRequestSchema.index({ projectId: 1, iid: 1 }, { unique: true });
// One open merge request per pair of branches, also with concurrent requests.
mergeRequestSchema.index({ openKey: 1 }, { unique: true, partialFilterExpression: { openKey: { $gt: '' } } });
// A project's list in its two orders, all or by state; also counts by state.
mergeRequestSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, updatedAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, state: 1, updatedAt: -1, _id: -1 });
// Clients check for an existing merge request of a branch before they open one.
mergeRequestSchema.index({ projectId: 1, sourceBranch: 1, createdAt: -1, _id: -1 });
// Lists across projects for callers who may read all of them.
mergeRequestSchema.index({ createdAt: -1, _id: -1 });
mergeRequestSchema.index({ state: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ updatedAt: -1, _id: -1 });
// Merge requests of an author; also for the removal of a deleted user.
mergeRequestSchema.index({ authorId: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ assigneeIds: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ reviewerIds: 1, createdAt: -1, _id: -1 });
// For the removal of a deleted user from other fields.
mergeRequestSchema.index({ 'approvals.userId': 1 }, { sparse: true });
mergeRequestSchema.index({ 'approvalRules.userIds': 1 }, { sparse: true });
// For the removal of a deleted group.
mergeRequestSchema.index({ 'approvalRules.groupIds': 1 }, { sparse: true });
mergeRequestSchema.index({ mergedById: 1 }, { partialFilterExpression: { mergedById: { $gt: 0 } } });
mergeRequestSchema.index({ 'autoMerge.userId': 1 }, { partialFilterExpression: { 'autoMerge.userId': { $gt: 0 } } });
// Merge requests with a label or milestone, in lists, counts, and for its deletion.
mergeRequestSchema.index({ labelIds: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ milestoneId: 1, createdAt: -1, _id: -1 });
// Merge requests that a push affects: by source, by target, and by the commit that waits to be merged.
mergeRequestSchema.index({ sourceProjectId: 1, sourceBranch: 1, state: 1 });
mergeRequestSchema.index({ projectId: 1, targetBranch: 1, state: 1, headSha: 1 });
// Look-up by merge commit or squash commit.
mergeRequestSchema.index(
  { projectId: 1, mergeCommitSha: 1 },
  { partialFilterExpression: { mergeCommitSha: { $gt: '' } } },
);
mergeRequestSchema.index(
  { projectId: 1, squashCommitSha: 1 },
  { partialFilterExpression: { squashCommitSha: { $gt: '' } } },
);
// Interrupted merges; few at any time.
mergeRequestSchema.index(
  { 'merging.startedAt': 1 },
  { partialFilterExpression: { 'merging.startedAt': { $gt: new Date(0) } } },
);
mergeRequestSchema.plugin(awardable);
mergeRequestSchema.plugin(journaled);
mergeRequestSchema.plugin(outboxed);

/** State of a merge request after a push. */
export interface MergeRequestVersionDocument {
  _id: number;
  mergeRequestId: number;
  headSha: string;
  baseSha: string | null;
  startSha: string | null;
  createdAt: Date;
}

export const mergeRequestVersionSchema = new Schema<MergeRequestVersionDocument>(
  {
    _id: { type: Number, required: true },
    mergeRequestId: { type: Number, required: true },
    headSha: { type: String, required: true },
    baseSha: { type: String, default: null },
    startSha: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'merge_request_versions', timestamps: false },
);
// One version per head and base, also if the event of a push is delivered twice; also for removal with the merge
// request.
mergeRequestVersionSchema.index({ mergeRequestId: 1, headSha: 1, baseSha: 1 }, { unique: true });
// Lists, latest first.
mergeRequestVersionSchema.index({ mergeRequestId: 1, _id: -1 });
