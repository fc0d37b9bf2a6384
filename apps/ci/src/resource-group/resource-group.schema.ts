import type { ProcessMode } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A resource that jobs of a project use one at a time. */
export interface ResourceGroup {
  _id: number;
  projectId: number;
  key: string;
  processMode: ProcessMode;
  /** The job that has the resource, or had it until it ended; absent if no job got it since. */
  holderJobId?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const resourceGroupSchema = new Schema<ResourceGroup>(
  { _id: Number, projectId: Number, key: String, processMode: String, holderJobId: Number },
  { timestamps: true, versionKey: false, collection: 'resource_groups' },
);
// One of a key.
resourceGroupSchema.index({ projectId: 1, key: 1 }, { unique: true });
// Lists of a project, in order of creation.
resourceGroupSchema.index({ projectId: 1, _id: 1 });
// Groups with an owner, for the periodic job.
resourceGroupSchema.index({ holderJobId: 1 }, { sparse: true });
