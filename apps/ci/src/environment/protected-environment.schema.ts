import { mostDeployGrants } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Who may deploy: everybody with a level, a user, or the members of a group. */
export interface DeployGrant {
  id: number;
  accessLevel?: number | undefined;
  userId?: number | undefined;
  groupId?: number | undefined;
}

/** A protected environment of a project, or a protected tier of all projects below a group. */
export interface ProtectedRecord {
  _id: number;
  projectId?: number;
  groupId?: number;
  /** Of the environment; in groups the tier. */
  name: string;
  grants: DeployGrant[];
  createdAt: Date;
  updatedAt: Date;
}

const grantSchema = new Schema<DeployGrant>(
  { id: Number, accessLevel: Number, userId: Number, groupId: Number },
  { _id: false, id: false },
);

const options = { timestamps: true, versionKey: false } as const;
const grants = { type: [grantSchema], default: [], most: mostDeployGrants };

export const protectedEnvironmentSchema = new Schema<ProtectedRecord>(
  { _id: Number, projectId: Number, name: String, grants },
  { ...options, collection: 'protected_environments' },
);
// Whether one is protected.
protectedEnvironmentSchema.index({ projectId: 1, name: 1 }, { unique: true });
// Lists of a project, in order of creation.
protectedEnvironmentSchema.index({ projectId: 1, _id: 1 });
// For deleted users and groups.
protectedEnvironmentSchema.index({ 'grants.userId': 1 }, { sparse: true });
protectedEnvironmentSchema.index({ 'grants.groupId': 1 }, { sparse: true });

export const groupProtectedEnvironmentSchema = new Schema<ProtectedRecord>(
  { _id: Number, groupId: Number, name: String, grants },
  { ...options, collection: 'group_protected_environments' },
);
// Whether a tier is protected.
groupProtectedEnvironmentSchema.index({ groupId: 1, name: 1 }, { unique: true });
// Lists of a group, in order of creation.
groupProtectedEnvironmentSchema.index({ groupId: 1, _id: 1 });
// For deleted users and groups.
groupProtectedEnvironmentSchema.index({ 'grants.userId': 1 }, { sparse: true });
groupProtectedEnvironmentSchema.index({ 'grants.groupId': 1 }, { sparse: true });
