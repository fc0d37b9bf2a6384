import { Schema } from 'mongoose';

/** One emoji of one person on a record; kept in the record, so that it is counted and removed with it. */
export interface Award {
  id: number;
  /** Without colons. */
  name: string;
  userId: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Something people award emoji to. */
export interface Awardable {
  awards: Award[];
}

/** On one record, of all people together. */
export const mostAwards = 10_000;

const awardSchema = new Schema<Award>(
  { id: Number, name: String, userId: Number, createdAt: Date, updatedAt: Date },
  { _id: false, id: false },
);

/** Mongoose plugin for the schema of such records. */
export function awardable(schema: Schema): void {
  schema.add({ awards: { type: [awardSchema], default: [], most: mostAwards } });
  // What somebody reacted to, for my_reaction_emoji; and a deleted user's awards.
  schema.index({ 'awards.userId': 1 }, { sparse: true });
}

export const countAwards = ({ awards }: Awardable, name: string): number =>
  awards.filter((award) => award.name === name).length;
export const upvotes = (record: Awardable): number => countAwards(record, 'thumbsup');
export const downvotes = (record: Awardable): number => countAwards(record, 'thumbsdown');
