import { Schema } from 'mongoose';
import { awardable } from '../activity/awardable';
import { type Issuable, issuableFields } from '../issuable/issuable';
import { journaled } from '../journal/journal';
import { type UserAgent, userAgentSchema } from '../user-agent/user-agent.schema';

export interface IssueDocument extends Issuable {
  projectId: number;
  state: 'opened' | 'closed';
  /** Date as YYYY-MM-DD. */
  dueDate: string | null;
  weight: number | null;
  iterationId?: number | null;
  epicId: number | null;
  /** Position in its epic, ascending. */
  epicPosition: number | null;
  relativePosition: number;
  /** Seconds. */
  timeEstimate: number;
  timeSpent: number;
  /** Merge requests that close it when they are merged. */
  closingMergeRequestIds: number[];
  movedToId: number | null;
  userAgent?: UserAgent | null;
}

/** Limit of merge requests that an issue stores; the others are stored in the merge requests alone. */
export const mostClosing = 1000;

export const issueSchema = new Schema<IssueDocument>(
  {
    ...issuableFields,
    projectId: { type: Number, required: true },
    dueDate: { type: String, default: null },
    weight: { type: Number, default: null },
    iterationId: Number,
    epicId: { type: Number, default: null },
    epicPosition: { type: Number, default: null },
    relativePosition: { type: Number, default: 0 },
    timeEstimate: { type: Number, default: 0 },
    timeSpent: { type: Number, default: 0 },
    closingMergeRequestIds: { type: [Number], default: [], most: mostClosing },
    movedToId: { type: Number, default: null },
    userAgent: { type: userAgentSchema },
  },
  { collection: 'issues', timestamps: false },
);
// Look-up by number in the project.
issueSchema.index({ projectId: 1, iid: 1 }, { unique: true });
// A project's list in its two orders, all or by state; also counts by state.
issueSchema.index({ projectId: 1, createdAt: -1, _id: -1 });
issueSchema.index({ projectId: 1, state: 1, createdAt: -1, _id: -1, confidential: 1 });
issueSchema.index({ projectId: 1, updatedAt: -1, _id: -1 });
// Number of confidential open issues of a project.
issueSchema.index({ projectId: 1, state: 1 }, { partialFilterExpression: { confidential: true } });
// A project's issues by due date, by weight, and those with awards: a small part of all.
issueSchema.index({ projectId: 1, dueDate: 1, _id: -1 }, { partialFilterExpression: { dueDate: { $gt: '' } } });
issueSchema.index({ projectId: 1, weight: 1, _id: -1 }, { partialFilterExpression: { weight: { $gte: 0 } } });
issueSchema.index({ projectId: 1 }, { partialFilterExpression: { 'awards.userId': { $gt: 0 } } });
// Lists across projects for callers who may read all of them.
issueSchema.index({ createdAt: -1, _id: -1 });
issueSchema.index({ state: 1, createdAt: -1, _id: -1, confidential: 1, projectId: 1 });
issueSchema.index({ updatedAt: -1, _id: -1 });
// Issues of an author; also for the removal of a deleted user.
issueSchema.index({ authorId: 1, createdAt: -1, _id: -1 });
issueSchema.index({ assigneeIds: 1, createdAt: -1, _id: -1 });
// Issues with a label or milestone, in lists and for its deletion; counts by milestone.
issueSchema.index({ labelIds: 1, createdAt: -1, _id: -1 });
issueSchema.index({ milestoneId: 1, state: 1, createdAt: -1, _id: -1, confidential: 1, projectId: 1 });
// The same by state, and statistics: the keys contain the usual filters, so counting reads no documents.
const counted = { confidential: 1, milestoneId: 1, projectId: 1 } as const;
issueSchema.index({ labelIds: 1, state: 1, createdAt: -1, _id: -1, authorId: 1, ...counted });
issueSchema.index({ authorId: 1, state: 1, createdAt: -1, _id: -1, ...counted });
issueSchema.index({ assigneeIds: 1, state: 1, createdAt: -1, _id: -1, authorId: 1, ...counted });
// Issues of an epic in its order.
issueSchema.index({ epicId: 1, epicPosition: 1, _id: 1 }, { partialFilterExpression: { epicId: { $gt: 0 } } });
// Issues of an iteration, in lists and for its deletion.
issueSchema.index({ iterationId: 1, createdAt: -1, _id: -1 }, { partialFilterExpression: { iterationId: { $gt: 0 } } });
issueSchema.plugin(awardable);
issueSchema.plugin(journaled);
