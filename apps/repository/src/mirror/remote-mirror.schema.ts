import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

export type MirrorStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'to_retry' | 'failed';

/** A repository on another server that mirrors a project's. */
export interface RemoteMirror {
  _id: number;
  projectId: number;
  /** Storage of the project at the last request; the process with that disk pushes. */
  storage: string;
  /** With name and password, encrypted. */
  sealedUrl: string;
  /** With both masked. */
  shownUrl: string;
  /** Key pair for ssh URLs; the private key is encrypted. */
  sshKey: { publicKey: string; sealedPrivateKey: string } | null;
  /** Host keys of the other server: given, or learned by ssh at the first connection. */
  knownHosts: string;
  isEnabled: boolean;
  /** Digest of the LFS objects that the mirror has; empty for none. */
  lfsObjects?: string;
  onlyProtectedBranches: boolean;
  keepsDivergentRefs: boolean;
  status: MirrorStatus;
  lastError: string | null;
  startedAt: Date | null;
  updatedAt: Date | null;
  succeededAt: Date | null;
  /** Time of the last request for a push; null if everything is pushed. */
  wantedAt: Date | null;
  /** Earliest time of the next push. */
  dueAt: Date | null;
  failures: number;
}

export const remoteMirrorSchema = new Schema<RemoteMirror>(
  {
    _id: Number,
    projectId: Number,
    storage: String,
    sealedUrl: String,
    shownUrl: String,
    sshKey: { type: Object, default: null },
    knownHosts: { type: String, default: '' },
    isEnabled: Boolean,
    lfsObjects: { type: String, default: '' },
    onlyProtectedBranches: Boolean,
    keepsDivergentRefs: Boolean,
    status: { type: String, default: 'none' },
    lastError: { type: String, default: null },
    startedAt: { type: Date, default: null },
    updatedAt: { type: Date, default: null },
    succeededAt: { type: Date, default: null },
    wantedAt: { type: Date, default: null },
    dueAt: { type: Date, default: null },
    failures: { type: Number, default: 0 },
  },
  { versionKey: false, collection: 'remote_mirrors' },
);

remoteMirrorSchema.index({ projectId: 1, _id: 1 });
// Due mirrors of a storage.
remoteMirrorSchema.index({ storage: 1, dueAt: 1 });
remoteMirrorSchema.plugin(sealedFields, ['sealedUrl', 'sshKey.sealedPrivateKey']);
