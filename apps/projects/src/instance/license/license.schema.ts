import { Schema } from 'mongoose';
import { type LicenseFacts, mostAddOns } from './read-license-key';

/** A licence that administrators added. */
export interface LicenseDocument extends LicenseFacts {
  _id: number;
  /** Digest of the key: each key is stored once. */
  digest: string;
  /** Highest number of active users that was counted. */
  mostUsers: number;
  createdAt: Date;
}

export const licenseSchema = new Schema<LicenseDocument>(
  {
    _id: Number,
    digest: String,
    plan: String,
    startsAt: String,
    expiresAt: { type: String, default: null },
    userLimit: { type: Number, default: null },
    licensee: { Name: String, Company: String, Email: String },
    // A list instead of an object: its keys come from the licence key.
    addOns: { type: [{ _id: false, name: String, count: Number }], default: [], most: mostAddOns },
    mostUsers: Number,
    createdAt: Date,
  },
  { versionKey: false, collection: 'licenses' },
);
licenseSchema.index({ digest: 1 }, { unique: true });
