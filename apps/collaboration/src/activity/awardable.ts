import { Schema } from 'mongoose';

/**
 * One emoji that one person awarded to a record. It is embedded in the record, so it is counted and removed with it.
 */
export interface Award {
  id: number;
  /** Without colons. */
  name: string;
  userId: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A record that takes emoji awards. */
export interface Awardable {
  awards: Award[];
}

/** Limit for one record, over all people. */
export const mostAwards = 10_000;

const awardSchema = new Schema<Award>(
  { id: Number, name: String, userId: Number, createdAt: Date, updatedAt: Date },
  { _id: false, id: false },
);

/** Mongoose plugin for schemas of awardable records. */
export function awardable(schema: Schema): void {
  schema.add({ awards: { type: [awardSchema], default: [], most: mostAwards } });
  // Serves the filter my_reaction_emoji, and the removal of a deleted user's awards.
  schema.index({ 'awards.userId': 1 }, { sparse: true });
}

export const countAwards = ({ awards }: Awardable, name: string): number =>
  awards.filter((award) => award.name === name).length;
export const upvotes = (record: Awardable): number => countAwards(record, 'thumbsup');
export const downvotes = (record: Awardable): number => countAwards(record, 'thumbsdown');
