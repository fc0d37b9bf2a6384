import { Schema } from 'mongoose';

/** A project's code and its wiki are repositories of their own. */
export const replicaKinds = ['code', 'wiki'] as const;
export type ReplicaKind = (typeof replicaKinds)[number];

/**
 * `pending` is to be asked for; `asked` is worked on by the repository service; `synced` and `failed` are what that said last;
 * `removing` is no longer to be here.
 */
export const replicaStates = ['pending', 'asked', 'synced', 'failed', 'removing'] as const;
export type ReplicaState = (typeof replicaStates)[number];

/**
 * `none` where nothing is here yet; `comparing` is to be compared with the primary; `asked` is read by the repository service;
 * `verified` is like the primary's; `failed` cannot be read, or not compared; `mismatch` differs although it was copied.
 */
export const verificationStates = ['none', 'comparing', 'asked', 'verified', 'failed', 'mismatch'] as const;
export type VerificationState = (typeof verificationStates)[number];

/** A repository of the primary that this site copies. */
export interface ReplicaRow {
  /** `<project>-<kind>` */
  _id: string;
  projectId: number;
  kind: ReplicaKind;
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
  verification: VerificationState;
  /** When its verification is due; null where it is not. */
  verifyAt: Date | null;
  /** Failed verifications since the last that did not. */
  verifyTries: number;
  verifyError: string | null;
  verifiedAt: Date | null;
}

export const replicaRowSchema = new Schema<ReplicaRow>(
  {
    _id: String,
    projectId: Number,
    kind: String,
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
    verification: { type: String, default: 'none' },
    verifyAt: { type: Date, default: null },
    verifyTries: { type: Number, default: 0 },
    verifyError: { type: String, default: null },
    verifiedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'replica_rows' },
);
// Code and wiki of a project.
replicaRowSchema.index({ projectId: 1, kind: 1 });
// What is to be done next.
replicaRowSchema.index({ state: 1, dueAt: 1 });
replicaRowSchema.index({ verification: 1, verifyAt: 1 });
// How many there are of each, and those that failed, by project.
replicaRowSchema.index({ kind: 1, state: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verification: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verifyTries: 1 });
