import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A project where a deploy key is enabled. */
export interface Enablement {
  id: number;
  projectId: number;
  canPush: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** A user's key, or a deploy key: ids and fingerprints are unique across both. */
export interface SshKey extends Outboxed {
  _id: number;
  kind: 'user' | 'deploy';
  /** The owner of the key; for deploy keys, the user who added it. */
  userId: number;
  title: string;
  /** Purpose of the key; absent in older keys, which have both. */
  usage?: 'auth' | 'signing' | 'auth_and_signing';
  /** In OpenSSH format: type, base64, comment. */
  key: string;
  md5: string;
  sha256: string;
  /** Deploy keys that every project may enable. */
  isPublic: boolean;
  enablements: Enablement[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/** Limit of projects for one deploy key. */
export const mostProjects = 10_000;

export const sshKeySchema = new Schema<SshKey>(
  {
    _id: Number,
    kind: String,
    userId: Number,
    title: String,
    usage: String,
    key: String,
    md5: String,
    sha256: String,
    isPublic: { type: Boolean, default: false },
    enablements: {
      type: [{ _id: false, id: Number, projectId: Number, canPush: Boolean, createdAt: Date, updatedAt: Date }],
      most: mostProjects,
    },
    expiresAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'ssh_keys' },
);

// Used by every SSH connection; each key exists once.
sshKeySchema.index({ sha256: 1 }, { unique: true });
sshKeySchema.index({ md5: 1 });
sshKeySchema.index({ userId: 1, kind: 1, _id: 1 });
sshKeySchema.index({ kind: 1, isPublic: 1, _id: 1 });
sshKeySchema.index({ 'enablements.projectId': 1, _id: 1 });
sshKeySchema.plugin(outboxed);
