import { Schema } from 'mongoose';
import type { ReplicaKind } from './replica-row.schema';

/** How many copies there are of a kind. */
export interface Tally {
  /** Without those that are being removed. */
  all: number;
  synced: number;
  failed: number;
  /** Of which there is a checksum. */
  checksummed: number;
  verified: number;
  /** They could not be verified, or are damaged. */
  unreadable: number;
  mismatched: number;
  /** They failed verification, and are to be verified again. */
  retrying: number;
  /** Files of which the primary has no bytes. */
  missing: number;
}

/** How many copies there were of each kind when they were counted last: one document. */
export interface Tallies {
  _id: 'tallies';
  countedAt: Date;
  tookMs: number;
  kinds: Record<ReplicaKind, Tally>;
}

export const talliesSchema = new Schema<Tallies>(
  { _id: String, countedAt: Date, tookMs: Number, kinds: Schema.Types.Mixed },
  { versionKey: false, collection: 'replica_tallies' },
);
