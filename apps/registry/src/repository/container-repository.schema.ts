import { Schema } from 'mongoose';
import type { GivenRules } from '../deletion-plan/deletion-rules';

/** Tags are to be deleted by rules. It stands here until that is done. */
export interface BulkDeletion {
  /** Names it in pages and tombstones. */
  id: string;
  rules: GivenRules;
  requestedAt: Date;
  /** The rank of the caller for protection rules; a cleanup policy has the lowest. */
  rank?: number;
  /** Which pages are its plan; null until it is made. */
  planId: string | null;
}

/** A repository of images. */
export interface ContainerRepository {
  _id: number;
  projectId: number;
  /** Name of the image in the registry; it stays when the project moves. */
  path: string;
  /** What came after the path of the project when it was first pushed to. */
  name: string;
  /** Shown from the first tag on; a name belongs to its project before, from the first token to push. */
  isShown: boolean;
  status: 'delete_scheduled' | null;
  bulkDeletion: BulkDeletion | null;
  /** When tags were last asked to be deleted in bulk. */
  bulkDeletedAt: Date | null;
  /** When tags were last begun to be deleted by the project's policy. */
  cleanupStartedAt: Date | null;
  /** Whether a deletion, of all of it or in bulk, is to be done. */
  isPending: boolean;
  /** When its tags were last compared with the registry; null for as soon as possible. */
  reconciledAt: Date | null;
  /** Grows with each change of its tags. */
  tagsVersion: number;
  /** How many tags there were at which version. */
  tagsCount: { version: number; count: number };
  createdAt: Date;
  updatedAt: Date;
}

export const containerRepositorySchema = new Schema<ContainerRepository>(
  {
    _id: Number,
    projectId: Number,
    path: String,
    name: String,
    isShown: { type: Boolean, default: false },
    status: { type: String, default: null },
    bulkDeletion: { type: Schema.Types.Mixed, default: null },
    bulkDeletedAt: { type: Date, default: null },
    cleanupStartedAt: { type: Date, default: null },
    isPending: { type: Boolean, default: false },
    reconciledAt: { type: Date, default: null },
    tagsVersion: { type: Number, default: 0 },
    tagsCount: { type: Schema.Types.Mixed, default: { version: 0, count: 0 } },
  },
  { timestamps: true, versionKey: false, collection: 'container_repositories' },
);
// Whose an image is, by its name.
containerRepositorySchema.index({ path: 1 }, { unique: true });
// Lists of projects, by id; and the end of a project.
containerRepositorySchema.index({ projectId: 1, isShown: 1, _id: 1 });
// What is to be deleted.
containerRepositorySchema.index({ isPending: 1 }, { partialFilterExpression: { isPending: true } });
// Repositories that were not compared with the registry for long.
containerRepositorySchema.index({ reconciledAt: 1 });
