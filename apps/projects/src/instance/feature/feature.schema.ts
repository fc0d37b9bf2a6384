import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A feature flag that an administrator has set. */
export interface FeatureDocument extends Outboxed {
  /** Name of the flag. */
  _id: string;
  /** For everybody; undefined if only gates were set. */
  isOn?: boolean;
  percentageOfTime?: number;
  percentageOfActors?: number;
  /** User names and full paths for which it is on, in lower case, as `user:ann`. */
  actors: string[];
}

/** Limit of actors in one flag. */
export const mostActors = 10_000;

export const featureSchema = new Schema<FeatureDocument>(
  {
    _id: { type: String, required: true },
    isOn: Boolean,
    percentageOfTime: Number,
    percentageOfActors: Number,
    actors: { type: [String], default: [], most: mostActors },
  },
  { collection: 'features' },
);
featureSchema.plugin(outboxed);
