import { Schema } from 'mongoose';

/** What projects are about. Projects have its name among their topics. */
export interface TopicDocument {
  _id: number;
  name: string;
  /** Lower-cased: topics differ in more than case. One that goes has none that a name could be. */
  nameKey: string;
  title: string | null;
  description: string | null;
  avatar: { key: string; filename: string; contentType: string } | null;
  /** As counted last. */
  projectsCount: number;
  /** The mark for counting its projects again. */
  recount?: { id: string; at: Date };
  /** Names under which projects may still have it. */
  formerNames?: string[];
  /** Of one that goes: what its projects have instead. Null for nothing. */
  leavesTo?: string | null;
  /** Since when projects are to learn of a name, or of the end. */
  unsettledAt?: Date;
}

/** Former names that projects may still have: a further renaming waits for them. */
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
// Pictures, as a secondary lists them.
topicSchema.index({ 'avatar.key': 1 }, { sparse: true });
// The list, those of most projects first.
topicSchema.index({ projectsCount: -1, _id: 1 });
// What a stop has left.
topicSchema.index({ 'recount.at': 1 }, { sparse: true });
// Those that one change has to be counted for.
topicSchema.index({ 'recount.id': 1 }, { sparse: true });
topicSchema.index({ unsettledAt: 1 }, { sparse: true });
