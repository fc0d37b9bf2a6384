import { Schema } from 'mongoose';
import { mostPackets } from './parse-gpg-key';

/** A public key that verifies a user's signatures. See docs/api/keys.md#4. */
export interface GpgKeyDocument {
  _id: number;
  userId: number;
  key: string;
  /** Of the primary key, 40 hex digits. */
  fingerprint: string;
  /** Ids of the primary key and its subkeys, 16 hex digits each: signatures contain them. */
  keyIds: string[];
  createdAt: Date;
}

export const gpgKeySchema = new Schema<GpgKeyDocument>(
  { _id: Number, userId: Number, key: String, fingerprint: String, keyIds: { type: [String], most: mostPackets } },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'gpg_keys' },
);
// Each key belongs to one user.
gpgKeySchema.index({ fingerprint: 1 }, { unique: true });
// Look-up by the ids in a signature.
gpgKeySchema.index({ keyIds: 1 });
gpgKeySchema.index({ userId: 1, _id: 1 });
