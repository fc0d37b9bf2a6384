import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import type { RepositoryKind } from '../git/storage/storage';

/** What was asked for of a replica, and not done yet. */
export type ReplicaWants = Partial<Record<'sync' | 'verify' | 'remove', true>>;

/** A copy of a repository of the primary site, or one that is to be made. */
export interface Replica {
  /** `<project>-<kind>` */
  _id: string;
  projectId: number;
  kind: RepositoryKind;
  storage: string;
  /** Of the source, with name and password, sealed. */
  sealedUrl: string;
  wants?: ReplicaWants;
  /** Another with each wish; none where nothing is wanted. */
  turn?: string;
  /** The replica must be created again. */
  isDamaged: boolean;
  /** It was made like its source once; unset before the first time. */
  isMade?: boolean;
}

export const replicaSchema = new Schema<Replica>(
  {
    _id: String,
    projectId: Number,
    kind: String,
    storage: String,
    sealedUrl: String,
    wants: { type: Object, default: undefined },
    turn: { type: String, default: undefined },
    isDamaged: { type: Boolean, default: false },
    isMade: { type: Boolean, default: undefined },
  },
  { versionKey: false, collection: 'replicas' },
);

// Code and wiki of a project.
replicaSchema.index({ projectId: 1 });
// Those of which something is wanted: few at any time.
replicaSchema.index({ turn: 1 }, { sparse: true });
replicaSchema.plugin(sealedFields, ['sealedUrl']);
