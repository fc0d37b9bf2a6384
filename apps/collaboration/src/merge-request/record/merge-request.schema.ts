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
  /** Of the target. */
  projectId: number;
  /** Null once the fork is gone. */
  sourceProjectId: number | null;
  sourceBranch: string;
  targetBranch: string;
  state: MergeRequestState;
  /**
   * Its branches while it is open or being merged, else null: of each pair of branches one merge request is open.
   * A digest, since names of branches are longer than indexes like.
   */
  openKey: string | null;
  /** From the title. */
  isDraft: boolean;
  reviewerIds: number[];
  /** Oldest first; absent in what was written before there were any. */
  approvals?: { userId: number; at: Date }[];
  /** Its own, in place of those of its project; null or absent while these count. */
  approvalRules?: ApprovalRule[] | null;
  /** Commits that it names besides its own; absent for none. */
  contextCommitShas?: string[];
  squash: boolean;
  removesSourceBranch: boolean | null;
  allowsCollaboration: boolean;
  /** Seconds. */
  timeEstimate: number;
  timeSpent: number;
  /** What git said when it was last asked. */
  mergeStatus: MergeStatus;
  hasConflicts: boolean;
  headSha: string | null;
  baseSha: string | null;
  startSha: string | null;
  /** Number of changed files, with a + where limits left some out; null until somebody asks. */
  changesCount: string | null;
  /** Numbers of the issues that know they are closed by it. */
  closesIssueIids: number[];
  mergeError: string | null;
  mergeCommitSha: string | null;
  squashCommitSha: string | null;
  mergedById: number | null;
  mergedAt: Date | null;
  /** Set from when somebody asks for the merge until it is done: a stop in between is made good from it. */
  merging: MergeOrder | null;
  /** To be merged once the pipeline of its head succeeds. */
  autoMerge: AutoMerge | null;
}

/** How somebody wants it merged. */
export interface AutoMerge {
  userId: number;
  message: string | null;
  squashMessage: string | null;
  squash: boolean;
  removesSourceBranch: boolean;
}

export interface MergeOrder extends AutoMerge {
  /** Tip of the source that is merged. */
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
// By number in the project, on every operation below a merge request.
mergeRequestSchema.index({ projectId: 1, iid: 1 }, { unique: true });
// One open merge request for each pair of branches, also when two are made at once.
mergeRequestSchema.index({ openKey: 1 }, { unique: true, partialFilterExpression: { openKey: { $gt: '' } } });
// A project's list in its two orders, all or by state; and counts of a project by state.
mergeRequestSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, updatedAt: -1, _id: -1 });
mergeRequestSchema.index({ projectId: 1, state: 1, updatedAt: -1, _id: -1 });
// What clients ask before they open one: is there one for the branch?
mergeRequestSchema.index({ projectId: 1, sourceBranch: 1, createdAt: -1, _id: -1 });
// Lists across projects for those who read all of them.
mergeRequestSchema.index({ createdAt: -1, _id: -1 });
mergeRequestSchema.index({ state: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ updatedAt: -1, _id: -1 });
// Somebody's merge requests; also what a deleted user leaves.
mergeRequestSchema.index({ authorId: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ assigneeIds: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ reviewerIds: 1, createdAt: -1, _id: -1 });
// What a deleted user leaves besides.
mergeRequestSchema.index({ 'approvals.userId': 1 }, { sparse: true });
mergeRequestSchema.index({ 'approvalRules.userIds': 1 }, { sparse: true });
// And a deleted group.
mergeRequestSchema.index({ 'approvalRules.groupIds': 1 }, { sparse: true });
mergeRequestSchema.index({ mergedById: 1 }, { partialFilterExpression: { mergedById: { $gt: 0 } } });
mergeRequestSchema.index({ 'autoMerge.userId': 1 }, { partialFilterExpression: { 'autoMerge.userId': { $gt: 0 } } });
// Those with a label or of a milestone, in lists, counts, and when one of these goes.
mergeRequestSchema.index({ labelIds: 1, createdAt: -1, _id: -1 });
mergeRequestSchema.index({ milestoneId: 1, createdAt: -1, _id: -1 });
// Whom a push concerns: as source, as target, and by the commit that waits to be merged.
mergeRequestSchema.index({ sourceProjectId: 1, sourceBranch: 1, state: 1 });
mergeRequestSchema.index({ projectId: 1, targetBranch: 1, state: 1, headSha: 1 });
// What a commit merged, as a merge or as one commit for all.
mergeRequestSchema.index(
  { projectId: 1, mergeCommitSha: 1 },
  { partialFilterExpression: { mergeCommitSha: { $gt: '' } } },
);
mergeRequestSchema.index(
  { projectId: 1, squashCommitSha: 1 },
  { partialFilterExpression: { squashCommitSha: { $gt: '' } } },
);
// Merges that a stop has interrupted; few at any time.
mergeRequestSchema.index(
  { 'merging.startedAt': 1 },
  { partialFilterExpression: { 'merging.startedAt': { $gt: new Date(0) } } },
);
mergeRequestSchema.plugin(awardable);
mergeRequestSchema.plugin(journaled);
mergeRequestSchema.plugin(outboxed);

/** A merge request as it was after a push. */
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
// One version for each head and base, also if the event of a push repeats; also for deleted merge requests.
mergeRequestVersionSchema.index({ mergeRequestId: 1, headSha: 1, baseSha: 1 }, { unique: true });
// Lists, latest first.
mergeRequestVersionSchema.index({ mergeRequestId: 1, _id: -1 });
