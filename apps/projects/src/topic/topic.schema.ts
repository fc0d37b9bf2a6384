import { Schema } from 'mongoose';

/** A topic. Projects store its name. */
export interface TopicDocument {
  _id: number;
  name: string;
  /** In lower case: names differ in more than case. A topic that is being deleted has a key that no name can have. */
  nameKey: string;
  title: string | null;
  description: string | null;
  avatar: { key: string; filename: string; contentType: string } | null;
  /** The last count. */
  projectsCount: number;
  /** The mark for counting its projects again. */
  recount?: { id: string; at: Date };
  /** Former names that projects may still have. */
  formerNames?: string[];
  /** Set while it is being deleted: the replacement in its projects, null for none. */
  leavesTo?: string | null;
  /** Set until a new name or the deletion is applied to its projects. */
  unsettledAt?: Date;
}

/** Limit of former names: a further rename waits until projects are updated. */
export const mostFormerNames = 100;

export const topicSchema = new Schema<TopicDocument>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    title: { type: String, default: null },
    description: { type: String, default: null },
    avatar: { type: Schema.Types.Mixed, default: null },
    projectsCount: { type: Number, default: 0 },
    recount: { type: Schema.Types.Mixed },
    formerNames: { type: [String], default: undefined, most: mostFormerNames },
    leavesTo: String,
    unsettledAt: Date,
  },
  { collection: 'topics' },
);
topicSchema.index({ nameKey: 1 }, { unique: true });
// Avatars, as a secondary lists them.
topicSchema.index({ 'avatar.key': 1 }, { sparse: true });
// The list, by number of projects.
topicSchema.index({ projectsCount: -1, _id: 1 });
// Interrupted counts.
topicSchema.index({ 'recount.at': 1 }, { sparse: true });
// Topics that one change has to count.
topicSchema.index({ 'recount.id': 1 }, { sparse: true });
topicSchema.index({ unsettledAt: 1 }, { sparse: true });
