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
  /** The most that tokens of it may carry. */
  scopes: Scope[];
  /** Keeps its secret, unlike one that runs in a browser or on a phone. */
  isConfidential: boolean;
  /** Its users are not asked to consent. */
  isTrusted: boolean;
  /** Who registered it; null for those of the instance. */
  ownerId: number | null;
  /** The replication node that signs in by it. */
  geoNodeId?: number;
  createdAt: Date;
}

/** Of one application. */
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
// Those of the instance for administrators, and a user's own.
applicationSchema.index({ ownerId: 1, _id: 1 });
// A replication node has one.
applicationSchema.index({ geoNodeId: 1 }, { unique: true, sparse: true });
