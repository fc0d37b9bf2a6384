import { type CopiedFile, type FileKind, fileKinds, imageKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A project's code and its wiki are repositories of their own. */
export const repositoryKinds = ['code', 'wiki'] as const;
export type RepositoryKind = (typeof repositoryKinds)[number];

/** All kinds of copies. Rows like these hold their common state; each kind has its own code for copying. */
export const replicaKinds = [...repositoryKinds, ...fileKinds, imageKind] as const;
export type ImageKind = typeof imageKind;
export type ReplicaKind = RepositoryKind | FileKind | ImageKind;

/**
 * `pending`: to be copied; `asked`: being copied; `synced` and `failed`: the last result; `removing`: to be removed.
 */
export const replicaStates = ['pending', 'asked', 'synced', 'failed', 'removing'] as const;
export type ReplicaState = (typeof replicaStates)[number];

/**
 * `none`: nothing copied yet; `comparing`: to be compared with the primary; `asked`: being read by the repository
 * service; `verified`: equal to the primary; `failed`: could not be read or compared; `mismatch`: differs after a copy;
 * `missing`: a file whose bytes the primary does not have.
 */
export const verificationStates = ['none', 'comparing', 'asked', 'verified', 'failed', 'mismatch', 'missing'] as const;
export type VerificationState = (typeof verificationStates)[number];

/** A repository or a file of the primary that this site copies. */
export interface ReplicaRow {
  /** `<project>-<kind>`, for a file `<kind>/<id>` */
  _id: string;
  /** Null for a file of several projects, or of none. */
  projectId: number | null;
  kind: ReplicaKind;
  /** Path of the project on the primary; for a file, its key in the object storage. */
  path: string;
  /** Id of a file on the primary. */
  fileId?: CopiedFile['id'];
  /** Size and checksum of a file on the primary, if known. */
  sizeBytes?: number | null;
  sha256?: string | null;
  /** Version of an image repository's tags on the primary. */
  version?: number;
  state: ReplicaState;
  /** Time of the next work on it; null if nothing is due. */
  dueAt: Date | null;
  /** Changes with each request. */
  turn: string;
  /** The last walk over all projects that found it. */
  walk: string;
  /** Failures since the last success. */
  tries: number;
  error: string | null;
  checksum: string | null;
  triedAt: Date | null;
  syncedAt: Date | null;
  verification: VerificationState;
  /** Time of the next verification; null if none is due. */
  verifyAt: Date | null;
  /** Failed verifications since the last success. */
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
// All copies of a project.
replicaRowSchema.index({ projectId: 1, kind: 1 });
// Due work.
replicaRowSchema.index({ kind: 1, state: 1, dueAt: 1 });
replicaRowSchema.index({ kind: 1, verification: 1, verifyAt: 1 });
// Files in the order of the primary's list.
replicaRowSchema.index({ kind: 1, fileId: 1 }, { partialFilterExpression: { fileId: { $exists: true } } });
// Projects with a failed copy.
replicaRowSchema.index({ kind: 1, state: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verification: 1, projectId: 1 });
replicaRowSchema.index({ kind: 1, verifyTries: 1 });
