import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

export type MirrorStatus = 'none' | 'scheduled' | 'started' | 'finished' | 'to_retry' | 'failed';

/** Another server's repository that is kept like a project's. */
export interface RemoteMirror {
  _id: number;
  projectId: number;
  /** Of the project when the mirror was last asked for; the process with that disk pushes. */
  storage: string;
  /** With name and password, sealed. */
  sealedUrl: string;
  /** With both masked. */
  shownUrl: string;
  /** Pair of keys for addresses of ssh; the private one sealed. */
  sshKey: { publicKey: string; sealedPrivateKey: string } | null;
  /** Keys of the other server, as given or as ssh saw them at the first contact. */
  knownHosts: string;
  isEnabled: boolean;
  /** Stands for the objects of Git LFS that are known to be there; empty for none. */
  lfsObjects?: string;
  onlyProtectedBranches: boolean;
  keepsDivergentRefs: boolean;
  status: MirrorStatus;
  lastError: string | null;
  startedAt: Date | null;
  updatedAt: Date | null;
  succeededAt: Date | null;
  /** Since then something waits to be pushed; null when all is there. */
  wantedAt: Date | null;
  /** Not before then. */
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
// What is due on a storage.
remoteMirrorSchema.index({ storage: 1, dueAt: 1 });
remoteMirrorSchema.plugin(sealedFields, ['sealedUrl', 'sshKey.sealedPrivateKey']);
