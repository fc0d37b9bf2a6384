import { Schema } from 'mongoose';

export type MoveState = 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup failed';

/** A move of a repository and its wiki to another storage. */
export interface StorageMove {
  _id: number;
  projectId: number;
  /** Set while it is in progress; a unique index allows one move per project. */
  movingProjectId?: number;
  state: MoveState;
  /** Set before writes are held at the source, so that a process that restarts there still holds them. */
  holdsWrites: boolean;
  source: string;
  destination: string;
  error: string | null;
  /** Names of the project at that time, for the view. */
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
