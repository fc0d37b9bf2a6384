import { Schema } from 'mongoose';

/** Who deploys: all of a level, a user, or the members of a group. */
export interface DeployGrant {
  id: number;
  accessLevel?: number | undefined;
  userId?: number | undefined;
  groupId?: number | undefined;
}

/** An environment to which not everybody deploys who may run jobs. */
export interface ProtectedEnvironmentRecord {
  _id: number;
  projectId: number;
  name: string;
  grants: DeployGrant[];
  createdAt: Date;
  updatedAt: Date;
}

const grantSchema = new Schema<DeployGrant>(
  { id: Number, accessLevel: Number, userId: Number, groupId: Number },
  { _id: false, id: false },
);

export const protectedEnvironmentSchema = new Schema<ProtectedEnvironmentRecord>(
  { _id: Number, projectId: Number, name: String, grants: { type: [grantSchema], default: [] } },
  { timestamps: true, versionKey: false, collection: 'protected_environments' },
);
// Whether one is protected.
protectedEnvironmentSchema.index({ projectId: 1, name: 1 }, { unique: true });
// Lists of a project, in order of creation.
protectedEnvironmentSchema.index({ projectId: 1, _id: 1 });
// Who is named, when they go.
protectedEnvironmentSchema.index({ 'grants.userId': 1 }, { sparse: true });
protectedEnvironmentSchema.index({ 'grants.groupId': 1 }, { sparse: true });
