import { type CopiedFile, type FileKind, fileKinds, imageKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A project's code and its wiki are repositories of their own. */
export const repositoryKinds = ['code', 'wiki'] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/** All that is copied. What is common to all kinds is said in rows like these; how one is copied, by who copies its kind. */
export const replicaKinds = [...repositoryKinds, ...fileKinds, imageKind] as const;
export type ImageKind = typeof imageKind;
export type ReplicaKind = RepositoryKind | FileKind | ImageKind;

/**
 * `pending` is to be copied; `asked` is being copied; `synced` and `failed` are how that ended last; `removing` is no longer
 * to be here.
 */
export const replicaStates = ['pending', 'asked', 'synced', 'failed', 'removing'] as const;
export type ReplicaState = (typeof replicaStates)[number];

/**
 * `none` where nothing is here yet; `comparing` is to be compared with the primary; `asked` is read by the repository service;
 * `verified` is like the primary's; `failed` cannot be read, or not compared; `mismatch` differs although it was copied;
 * `missing` is a file of which the primary has a record, and no bytes.
 */
export const verificationStates = ['none', 'comparing', 'asked', 'verified', 'failed', 'mismatch', 'missing'] as const;
export type VerificationState = (typeof verificationStates)[number];

/** A repository, or a file, of the primary that this site copies. */
export interface ReplicaRow {
  /** `<project>-<kind>`, and of a file `<kind>/<id>` */
  _id: string;
  /** Null of a file that several projects have, or none. */
  projectId: number | null;
  kind: ReplicaKind;
  /** Of the project on the primary; of a file, the key of its bytes. */
  path: string;
  /** Of a file, its id on the primary. */
  fileId?: CopiedFile['id'];
  /** Of a file, what the primary says of its bytes, as far as it knows that. */
  sizeBytes?: number | null;
  sha256?: string | null;
  /** Of a repository of images, what its tags are like on the primary, as it is to be here. */
  version?: number;
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

export interface RepositoryRow extends ReplicaRow {
  projectId: number;
  kind: RepositoryKind;
}
export interface FileRow extends ReplicaRow {
  kind: FileKind;
  fileId: CopiedFile['id'];
}
export interface ImageRow extends ReplicaRow {
  kind: ImageKind;
  fileId: number;
}
export type RowOf<K extends ReplicaKind> = K extends RepositoryKind
  ? RepositoryRow
  : K extends ImageKind
    ? ImageRow
    : FileRow;

export const replicaRowSchema = new Schema<ReplicaRow>(
  {
    _id: String,
    projectId: { type: Number, default: null },
    kind: String,
    path: String,
    fileId: { type: Schema.Types.Mixed, default: undefined },
    sizeBytes: { type: Number, default: undefined },
    sha256: { type: String, default: undefined },
    version: { type: Number, default: undefined },
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
// All of a project.
replicaRowSchema.index({ projectId: 1, kind: 1 });
// What is to be done next.
replicaRowSchema.index({ kind: 1, state: 1, dueAt: 1 });
replicaRowSchema.index({ kind: 1, verification: 1, verifyAt: 1 });
// Files beside each other, as the primary lists them.
replicaRowSchema.index({ kind: 1, fileId: 1 }, { partialFilterExpression: { fileId: { $exists: true } } });
// Projects of which a copy failed.
replicaRowSchema.index({ kind: 1, state: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verification: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verifyTries: 1 });
