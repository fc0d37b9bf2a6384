import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { GeoSettings } from '../settings/settings';
import {
  type ReplicaKind,
  type ReplicaRow,
  type ReplicaState,
  replicaKinds,
  type VerificationState,
} from './replica-row.schema';
import type { Tallies, Tally } from './tallies.schema';

/**
 * A result is valid for this multiple of the counting time: the share of time spent on counting does not grow with the
 * number of copies.
 */
const restsTimes = 50;
/** And for at least this many intervals of checks. */
const restsLooks = 2;
const restsAtMostMs = 60_000;

/**
 * Counts copies by index keys alone, and stores the result: a status request reads one document, however many copies
 * there are.
 */
@Injectable()
export class ReplicaCounts {
  private readonly restsAtLeastMs: number;

  constructor(
    @InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>,
    @InjectModel('Tallies') private readonly tallies: Model<Tallies>,
    @Inject(settingsToken) { GEO_LOOK_INTERVAL }: GeoSettings,
  ) {
    this.restsAtLeastMs = GEO_LOOK_INTERVAL * restsLooks * 1000;
  }

  /** The last counts. */
  async read(): Promise<Tallies['kinds']> {
    return ((await this.last()) ?? (await this.count())).kinds;
  }

  /** Counts again if due. */
  async refresh(): Promise<void> {
    const last = await this.last();
    const restMs = Math.min(Math.max((last?.tookMs ?? 0) * restsTimes, this.restsAtLeastMs), restsAtMostMs);
    if (!last || Date.now() - last.countedAt.getTime() >= restMs) await this.count();
  }

  private last(): Promise<Tallies | null> {
    return this.tallies.findById('tallies').lean<Tallies>();
  }

  private async count(): Promise<Tallies> {
    const begun = performance.now();
    const kinds = {} as Tallies['kinds'];
    // One after the other, to leave the database to others in between.
    for (const kind of replicaKinds) kinds[kind] = await this.of(kind);
    const counted = { countedAt: new Date(), tookMs: performance.now() - begun, kinds };
    await this.tallies.updateOne({ _id: 'tallies' }, { $set: counted }, { upsert: true });
    return { _id: 'tallies', ...counted };
  }

  private async of(kind: ReplicaKind): Promise<Tally> {
    const inState = (state: ReplicaState) => this.rows.countDocuments({ kind, state });
    const verifying = (verification: VerificationState) => this.rows.countDocuments({ kind, verification });
    const all = (await this.rows.countDocuments({ kind })) - (await inState('removing'));
    if (all <= 0) return nothing;
    const comparing = await verifying('comparing');
    const reading = await verifying('asked');
    const verified = await verifying('verified');
    const mismatched = await verifying('mismatch');
    return {
      all,
      synced: await inState('synced'),
      failed: await inState('failed'),
      checksummed: comparing + reading + verified + mismatched,
      verified,
      unreadable: await verifying('failed'),
      mismatched,
      retrying: await this.rows.countDocuments({ kind, verifyTries: { $gt: 0 } }),
      missing: await verifying('missing'),
    };
  }
}

const nothing: Tally = {
  all: 0,
  synced: 0,
  failed: 0,
  checksummed: 0,
  verified: 0,
  unreadable: 0,
  mismatched: 0,
  retrying: 0,
  missing: 0,
};
