import { Schema } from 'mongoose';

/** That a project has an object of Git LFS. */
export interface LfsObject {
  /** Project and SHA-256: a project has an object once. */
  _id: string;
  projectId: number;
  oid: string;
  sizeBytes: number;
  /** Where its bytes are; several projects may have the same. */
  contentId: number;
  /** The project goes: what nobody else has is removed. */
  isLeaving?: boolean;
}

export const lfsObjectSchema = new Schema<LfsObject>(
  {
    _id: String,
    projectId: Number,
    oid: String,
    sizeBytes: Number,
    contentId: Number,
    isLeaving: Boolean,
  },
  { versionKey: false, collection: 'lfs_objects' },
);
// How much a project has.
lfsObjectSchema.index({ projectId: 1, sizeBytes: 1 });
// What a fork gets, and the end of a project.
lfsObjectSchema.index({ projectId: 1, _id: 1 });
// Whether anybody has some bytes.
lfsObjectSchema.index({ contentId: 1, isLeaving: 1 });
