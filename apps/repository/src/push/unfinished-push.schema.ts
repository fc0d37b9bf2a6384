import { Schema } from 'mongoose';
import type { RefUpdate } from '../git/refs/refs';
import type { RepositoryKind } from '../git/storage/storage';
import { MAX_COMMAND_BYTES, MAX_OPTIONS } from '../git/transport/push-commands';

/** The user who pushed, in the form of events; null for deploy keys and the server itself. */
export interface Pusher {
  id: number;
  username: string;
  name: string;
  email: string;
}

/**
 * A write-ahead record of refs that are about to move. It stays until its events are published, so that no crash loses
 * a push.
 */
export interface UnfinishedPush {
  _id: string;
  storage: string;
  projectId: number;
  /** Path of the project at that time; for URLs of commits. */
  fullPath: string;
  kind: RepositoryKind;
  pusher: Pusher | null;
  updates: RefUpdate[];
  /** Push options, as `ci.skip`; absent in records of earlier versions. */
  options?: string[];
  createdAt: Date;
}

export const unfinishedPushSchema = new Schema<UnfinishedPush>(
  {
    _id: String,
    storage: String,
    projectId: Number,
    fullPath: String,
    kind: String,
    pusher: { type: Object, default: null },
    updates: { type: [Object], mostBytes: 1.5 * MAX_COMMAND_BYTES },
    options: { type: [String], most: MAX_OPTIONS },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'push_intents' },
);

// Records that a killed process of a storage left.
unfinishedPushSchema.index({ storage: 1, createdAt: 1 });
// For a project that moves to another storage.
unfinishedPushSchema.index({ projectId: 1 });
