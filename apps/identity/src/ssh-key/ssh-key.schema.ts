import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A project that a deploy key opens. */
export interface Enablement {
  id: number;
  projectId: number;
  canPush: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** A user's key, or a deploy key: their ids and fingerprints are of one set. */
export interface SshKey extends Outboxed {
  _id: number;
  kind: 'user' | 'deploy';
  /** Whose key it is; for deploy keys, who added it. */
  userId: number;
  title: string;
  /** What it is for; of a key from before this was asked, both. */
  usage?: 'auth' | 'signing' | 'auth_and_signing';
  /** As OpenSSH writes it: type, base64, comment. */
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

/** That a deploy key opens. */
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

// Every SSH connection, and look-ups; no key belongs to two.
sshKeySchema.index({ sha256: 1 }, { unique: true });
sshKeySchema.index({ md5: 1 });
sshKeySchema.index({ userId: 1, kind: 1, _id: 1 });
sshKeySchema.index({ kind: 1, isPublic: 1, _id: 1 });
sshKeySchema.index({ 'enablements.projectId': 1, _id: 1 });
sshKeySchema.plugin(outboxed);
