import { Schema } from 'mongoose';

export type MoveState = 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup failed';

/** A repository and its wiki on their way to another storage, or there. */
export interface StorageMove {
  _id: number;
  projectId: number;
  /** While it is under way; no project moves twice at once. */
  movingProjectId?: number;
  state: MoveState;
  /** Set before writes are held at the source, so that a process that restarts there still holds them. */
  holdsWrites: boolean;
  source: string;
  destination: string;
  error: string | null;
  /** What the project was called then, for the view. */
  project: {
    description: string | null;
    name: string;
    nameWithNamespace: string;
    path: string;
    fullPath: string;
    createdAt: string;
  };
  createdAt: Date;
}

export const storageMoveSchema = new Schema<StorageMove>(
  {
    _id: Number,
    projectId: Number,
    movingProjectId: Number,
    state: String,
    holdsWrites: { type: Boolean, default: false },
    source: String,
    destination: String,
    error: { type: String, default: null },
    project: Object,
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'storage_moves' },
);

storageMoveSchema.index({ movingProjectId: 1 }, { unique: true, sparse: true });
storageMoveSchema.index({ projectId: 1, _id: -1 });
