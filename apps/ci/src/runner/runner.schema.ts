import { mostRunnerTags } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Facts that a runner reports about itself. */
export interface RunnerInfo {
  name?: string | undefined;
  version?: string | undefined;
  revision?: string | undefined;
  platform?: string | undefined;
  architecture?: string | undefined;
}

export interface Runner {
  _id: number;
  description: string;
  tokenSha256: string;
  /** The only project whose jobs it gets; null for all. */
  projectId: number | null;
  /** The user who created it; null for registered ones. */
  creatorId: number | null;
  isPaused: boolean;
  isLocked: boolean;
  runsUntagged: boolean;
  tags: string[];
  accessLevel: 'not_protected' | 'ref_protected';
  maximumTimeoutSeconds: number | null;
  info: RunnerInfo;
  ip: string | null;
  contactedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const absent = { default: null };

export const runnerSchema = new Schema<Runner>(
  {
    _id: Number,
    description: { type: String, default: '' },
    tokenSha256: String,
    projectId: { type: Number, ...absent },
    creatorId: { type: Number, ...absent },
    isPaused: { type: Boolean, default: false },
    isLocked: { type: Boolean, default: false },
    runsUntagged: { type: Boolean, default: true },
    tags: { type: [String], default: [], most: mostRunnerTags },
    accessLevel: { type: String, default: 'not_protected' },
    maximumTimeoutSeconds: { type: Number, ...absent },
    info: { type: Object, default: {} },
    ip: { type: String, ...absent },
    contactedAt: { type: Date, ...absent },
  },
  { timestamps: true, versionKey: false, minimize: false, collection: 'runners' },
);
runnerSchema.index({ tokenSha256: 1 }, { unique: true });
runnerSchema.index({ projectId: 1, _id: 1 });
runnerSchema.index({ creatorId: 1, _id: 1 });

/** With which token runners may register: for the instance, or for a project. */
export interface Registration {
  /** `instance`, or `project 7`. */
  _id: string;
  projectId: number | null;
  tokenSha256: string;
}

export const registrationSchema = new Schema<Registration>(
  { _id: String, projectId: { type: Number, ...absent }, tokenSha256: String },
  { versionKey: false, collection: 'runner_registrations' },
);
registrationSchema.index({ tokenSha256: 1 }, { unique: true });
// Registrations of a deleted project.
registrationSchema.index({ projectId: 1 });
