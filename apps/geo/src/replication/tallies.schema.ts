import { Schema } from 'mongoose';
import type { ReplicaKind } from './replica-row.schema';

/** Number of copies of a kind. */
export interface Tally {
  /** Without copies that are being removed. */
  all: number;
  synced: number;
  failed: number;
  /** With a checksum. */
  checksummed: number;
  verified: number;
  /** Verification failed, or damaged. */
  unreadable: number;
  mismatched: number;
  /** Verification failed and will be retried. */
  retrying: number;
  /** Files whose bytes the primary does not have. */
  missing: number;
}

/** The last counts of copies by kind: one document. */
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
