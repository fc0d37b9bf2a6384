import { Schema } from 'mongoose';

/** A reference of a project to an object of Git LFS. */
export interface LfsObject {
  /** Project and SHA-256: a project has an object once. */
  _id: string;
  projectId: number;
  oid: string;
  sizeBytes: number;
  /** Its content; several projects may share one. */
  contentId: number;
  /** The project is being deleted: contents that no other project refers to are removed. */
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
// Total size of a project.
lfsObjectSchema.index({ projectId: 1, sizeBytes: 1 });
// For forks, and the deletion of a project.
lfsObjectSchema.index({ projectId: 1, _id: 1 });
// Whether a content is in use.
lfsObjectSchema.index({ contentId: 1, isLeaving: 1 });
