import { Schema } from 'mongoose';
import { type LicenseFacts, mostAddOns } from './read-license-key';

/** A licence that administrators have added. */
export interface LicenseDocument extends LicenseFacts {
  _id: number;
  /** Of the key: the same is kept once. */
  digest: string;
  /** The most active users of any time that they were counted. */
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
    // No object: its keys are whatever a key names.
    addOns: { type: [{ _id: false, name: String, count: Number }], default: [], most: mostAddOns },
    mostUsers: Number,
    createdAt: Date,
  },
  { versionKey: false, collection: 'licenses' },
);
licenseSchema.index({ digest: 1 }, { unique: true });
