import { type Scope, scopes } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A client of the OAuth provider. */
export interface Application {
  _id: number;
  /** The public client id: 64 hex digits. */
  uid: string;
  /** SHA-256 of the client secret. */
  secretHash: string;
  name: string;
  redirectUris: string[];
  /** The scopes that its tokens may have. */
  scopes: Scope[];
  /** Whether it can keep a secret, unlike one that runs in a browser or on a phone. */
  isConfidential: boolean;
  /** Whether users are not asked for consent. */
  isTrusted: boolean;
  /** The user who registered it; null for applications of the instance. */
  ownerId: number | null;
  /** The replication node that signs in with it. */
  geoNodeId?: number;
  createdAt: Date;
}

/** Limit for one application. */
export const mostRedirectUris = 100;

export const applicationSchema = new Schema<Application>(
  {
    _id: Number,
    uid: String,
    secretHash: String,
    name: String,
    redirectUris: { type: [String], most: mostRedirectUris },
    scopes: { type: [String], most: scopes.length },
    isConfidential: Boolean,
    isTrusted: Boolean,
    ownerId: { type: Number, default: null },
    geoNodeId: Number,
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'applications' },
);

applicationSchema.index({ uid: 1 }, { unique: true });
// Applications of the instance, and those of a user.
applicationSchema.index({ ownerId: 1, _id: 1 });
// At most one per replication node.
applicationSchema.index({ geoNodeId: 1 }, { unique: true, sparse: true });
