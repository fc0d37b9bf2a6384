import { Schema } from 'mongoose';

/** A repository of images. */
export interface ContainerRepository {
  _id: number;
  projectId: number;
  /** Name of the image in the registry; it stays when the project moves. */
  path: string;
  /** Shown from the first tag on; a name belongs to its project before, from the first token to push. */
  isShown: boolean;
  status: 'delete_scheduled' | 'delete_failed' | null;
  /** When tags were last asked to be deleted in bulk. */
  bulkDeletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const containerRepositorySchema = new Schema<ContainerRepository>(
  {
    _id: Number,
    projectId: Number,
    path: String,
    isShown: { type: Boolean, default: false },
    status: { type: String, default: null },
    bulkDeletedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false, collection: 'container_repositories' },
);
// Whose an image is, by its name.
containerRepositorySchema.index({ path: 1 }, { unique: true });
// Lists of projects, by id; and the end of a project.
containerRepositorySchema.index({ projectId: 1, isShown: 1, _id: 1 });
