import { Schema } from 'mongoose';
import type { RefUpdate } from '../git/refs/refs';
import type { RepositoryKind } from '../git/storage/storage';
import { MAX_COMMAND_BYTES, MAX_OPTIONS } from '../git/transport/push-commands';

/** The user who pushed, as in events; null for deploy keys and the server itself. */
export interface Pusher {
  id: number;
  username: string;
  name: string;
  email: string;
}

/** Refs that are about to move. The record stays until its events are published, so that no crash loses a push. */
export interface UnfinishedPush {
  _id: string;
  storage: string;
  projectId: number;
  /** Of the project then; for the addresses of commits. */
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

// What a killed process of a storage left behind.
unfinishedPushSchema.index({ storage: 1, createdAt: 1 });
// Those of a project that moves to another storage.
unfinishedPushSchema.index({ projectId: 1 });
