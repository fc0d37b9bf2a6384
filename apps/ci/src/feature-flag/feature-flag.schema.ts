import { mostStrategies, type StrategyName } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** One of several rules for whom a feature is on. */
export interface Strategy {
  id: number;
  name: StrategyName;
  parameters: Record<string, string>;
  /** The user list of the strategy, if it uses one. */
  userListId?: number | undefined;
  scopes: { id: number; environmentScope: string }[];
}

export interface FeatureFlagRecord extends Outboxed {
  _id: number;
  projectId: number;
  name: string;
  description: string | null;
  isActive: boolean;
  strategies: Strategy[];
  createdAt: Date;
  updatedAt: Date;
}

const scopeSchema = new Schema({ id: Number, environmentScope: String }, { _id: false, id: false });
const strategySchema = new Schema<Strategy>(
  {
    id: Number,
    name: String,
    parameters: { type: Object, default: {} },
    userListId: Number,
    scopes: { type: [scopeSchema], default: [], most: mostStrategies },
  },
  { _id: false, id: false, minimize: false },
);

export const featureFlagSchema = new Schema<FeatureFlagRecord>(
  {
    _id: Number,
    projectId: Number,
    name: String,
    description: { type: String, default: null },
    isActive: Boolean,
    strategies: { type: [strategySchema], default: [], most: mostStrategies },
  },
  { timestamps: true, versionKey: false, collection: 'feature_flags' },
);
// One of a name.
featureFlagSchema.index({ projectId: 1, name: 1 }, { unique: true });
// Lists of a project, in order of creation.
featureFlagSchema.index({ projectId: 1, _id: 1 });
// Whether a list of users is named.
featureFlagSchema.index({ 'strategies.userListId': 1 }, { sparse: true });
featureFlagSchema.plugin(outboxed);
