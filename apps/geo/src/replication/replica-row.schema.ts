import { Schema } from 'mongoose';

/**
 * `pending` is to be asked for; `asked` is worked on by the repository service; `synced` and `failed` are what that said last;
 * `removing` is no longer to be here.
 */
export type ReplicaState = 'pending' | 'asked' | 'synced' | 'failed' | 'removing';

/** A repository of the primary that this site copies. */
export interface ReplicaRow {
  /** The project. */
  _id: number;
  /** Of the project on the primary. */
  path: string;
  state: ReplicaState;
  /** When something is to be done for it next; null where nothing is. */
  dueAt: Date | null;
  /** Another with each change of what is wanted. */
  turn: string;
  /** The list of all projects in which it was seen last. */
  walk: string;
  /** Failed tries since the last that did not. */
  tries: number;
  error: string | null;
  checksum: string | null;
  triedAt: Date | null;
  syncedAt: Date | null;
}

export const replicaRowSchema = new Schema<ReplicaRow>(
  {
    _id: Number,
    path: String,
    state: String,
    dueAt: { type: Date, default: null },
    turn: String,
    walk: String,
    tries: { type: Number, default: 0 },
    error: { type: String, default: null },
    checksum: { type: String, default: null },
    triedAt: { type: Date, default: null },
    syncedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'replica_rows' },
);
// How many there are in a state, and those that failed, by project.
replicaRowSchema.index({ state: 1, _id: 1 });
// What is to be done next.
replicaRowSchema.index({ state: 1, dueAt: 1 });
