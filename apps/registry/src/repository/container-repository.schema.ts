import { Schema } from 'mongoose';
import type { GivenRules } from '../deletion-plan/deletion-rules';

/** A requested deletion of tags by rules, until it is done. */
export interface BulkDeletion {
  /** Id in pages and tombstones. */
  id: string;
  rules: GivenRules;
  requestedAt: Date;
  /** The rank of the caller for protection rules; a cleanup policy has the lowest. */
  rank?: number;
  /** Id of the pages of its plan; null until it is made. */
  planId: string | null;
}

/** An image repository. */
export interface ContainerRepository {
  _id: number;
  projectId: number;
  /** Name of the image in the registry; it stays when the project is moved. */
  path: string;
  /** The part after the path of the project at the time of the first push. */
  name: string;
  /**
   * Whether it is shown: from the first tag on. The name belongs to its project earlier, from the first push token on.
   */
  isShown: boolean;
  status: 'delete_scheduled' | null;
  bulkDeletion: BulkDeletion | null;
  /** Time of the last requested bulk deletion. */
  bulkDeletedAt: Date | null;
  /** Start of the last run of the project's cleanup policy. */
  cleanupStartedAt: Date | null;
  /** Whether a removal or a bulk deletion is pending. */
  isPending: boolean;
  /** Time of the last comparison with the registry; null for as soon as possible. */
  reconciledAt: Date | null;
  /** Incremented with each change of its tags. */
  tagsVersion: number;
  /** Number of tags at a version. */
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
// Look-up of the owner by image name.
containerRepositorySchema.index({ path: 1 }, { unique: true });
// Lists of projects, by id; and for the deletion of a project.
containerRepositorySchema.index({ projectId: 1, isShown: 1, _id: 1 });
// Pending deletions.
containerRepositorySchema.index({ isPending: 1 }, { partialFilterExpression: { isPending: true } });
// Repositories by time of the last comparison with the registry.
containerRepositorySchema.index({ reconciledAt: 1 });
