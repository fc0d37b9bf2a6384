import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import type { RepositoryKind } from '../git/storage/storage';

/** Open requests for a replica. */
export type ReplicaWants = Partial<Record<'sync' | 'verify' | 'remove', true>>;

/** A replica of a repository of the primary site, existing or requested. */
export interface Replica {
  /** `<project>-<kind>` */
  _id: string;
  projectId: number;
  kind: RepositoryKind;
  storage: string;
  /** URL of the source with name and password, encrypted. */
  sealedUrl: string;
  wants?: ReplicaWants;
  /** Changes with each request; absent without open requests. */
  turn?: string;
  /** The replica must be created again. */
  isDamaged: boolean;
  /** Whether it was ever in sync with its source; absent before the first time. */
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
// Replicas with open requests: few at any time.
replicaSchema.index({ turn: 1 }, { sparse: true });
replicaSchema.plugin(sealedFields, ['sealedUrl']);
