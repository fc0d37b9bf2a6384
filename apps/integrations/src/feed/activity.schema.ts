import type { ActivityAction } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** The feature of a project that a reader needs to see an activity. */
export type Room = 'issues' | 'merge_requests' | 'milestones' | 'repository' | 'wiki' | 'project';

export interface Push {
  action: 'created' | 'removed' | 'pushed';
  refType: 'branch' | 'tag';
  ref: string;
  from: string | null;
  to: string | null;
  commitTitle: string | null;
  commitCount: number;
}

/** What a user did in a project. Titles and bodies belong to other services and are read when the activity is shown. */
export interface ActivityDocument {
  _id: number;
  /** The id of its event, which may arrive twice. */
  key: string;
  projectId: number;
  authorId: number;
  action: ActivityAction;
  /** As clients name it: `Issue`, `DiscussionNote`, `WikiPage::Meta`. */
  targetType: string | null;
  targetId: number | null;
  targetIid: number | null;
  /** Stored only if no service has the title. */
  targetTitle: string | null;
  room: Room;
  /** Id of the issue or merge request that it is about. */
  on: number | null;
  /** State of the issue at its last change. */
  confidential: boolean;
  /** A confidential comment. */
  isInternal: boolean;
  /** Who may see a confidential issue: its author and assignees. */
  insiderIds: number[];
  push: Push | null;
  wikiPage: { format: string; slug: string } | null;
  createdAt: Date;
}

const keptForSeconds = 3 * 365 * 24 * 60 * 60;

/** The author of an issue, and as many assignees as it may have. */
const mostInsiders = 10_001;

export const activitySchema = new Schema<ActivityDocument>(
  {
    _id: Number,
    key: String,
    projectId: Number,
    authorId: Number,
    action: String,
    targetType: { type: String, default: null },
    targetId: { type: Number, default: null },
    targetIid: { type: Number, default: null },
    targetTitle: { type: String, default: null },
    room: String,
    on: { type: Number, default: null },
    confidential: { type: Boolean, default: false },
    isInternal: { type: Boolean, default: false },
    insiderIds: { type: [Number], default: [], most: mostInsiders },
    push: { type: Schema.Types.Mixed, default: null },
    wikiPage: { type: Schema.Types.Mixed, default: null },
    createdAt: Date,
  },
  { versionKey: false, collection: 'activities' },
);
// Each event is stored once.
activitySchema.index({ key: 1 }, { unique: true });
// The lists of a project and of a user.
activitySchema.index({ projectId: 1, createdAt: -1, _id: -1 });
activitySchema.index({ authorId: 1, createdAt: -1, _id: -1 });
// The projects in a user's list; reads one entry per project.
activitySchema.index({ authorId: 1, projectId: 1 });
// Activities of a record that is changed or deleted, and of a deleted comment.
activitySchema.index({ room: 1, on: 1 });
activitySchema.index({ targetType: 1, targetId: 1 });
activitySchema.index({ createdAt: 1 }, { expires: keptForSeconds });
