import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ReplicaKind, ReplicaRow, ReplicaState, VerificationState } from './replica-row.schema';

/** How many copies there are, of repositories or of wikis. */
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
}

/** Counts copies by the keys of indexes alone. */
@Injectable()
export class ReplicaCounts {
  constructor(@InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>) {}

  async of(kind: ReplicaKind): Promise<Tally> {
    const inState = (state: ReplicaState) => this.rows.countDocuments({ kind, state });
    const verifying = (verification: VerificationState) => this.rows.countDocuments({ kind, verification });
    const [pending, asked, synced, failed, comparing, reading, verified, unreadable, mismatched, retrying] =
      await Promise.all([
        inState('pending'),
        inState('asked'),
        inState('synced'),
        inState('failed'),
        verifying('comparing'),
        verifying('asked'),
        verifying('verified'),
        verifying('failed'),
        verifying('mismatch'),
        this.rows.countDocuments({ kind, verifyTries: { $gt: 0 } }),
      ]);
    return {
      all: pending + asked + synced + failed,
      synced,
      failed,
      checksummed: comparing + reading + verified + mismatched,
      verified,
      unreadable,
      mismatched,
      retrying,
    };
  }
}
