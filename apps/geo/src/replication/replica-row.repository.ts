import { randomUUID } from 'node:crypto';
import type { Page } from '@moothall/contracts';
import { findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { againAfterMs } from './back-off';
import type { ReplicaRow, ReplicaState } from './replica-row.schema';

/** After so long without a word of what was asked for it is asked for again. */
const silenceMs = 3_600_000;
/** The same while it is not sure that it was asked: this process may have ended in between. */
const askingMs = 60_000;

/** Queries on what this site copies. */
@Injectable()
export class ReplicaRows {
  constructor(@InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>) {}

  /** Notes that a repository is to be made like that of the primary. */
  async want(_id: number, path: string, walk: string): Promise<void> {
    const $set = { path, walk, state: 'pending', dueAt: new Date(), turn: randomUUID() } as const;
    const write = () => this.rows.updateOne({ _id }, { $set }, { upsert: true });
    await write().catch((error: unknown) => {
      // Two came at once.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  async drop(_id: number): Promise<void> {
    await this.rows.updateOne({ _id }, removing());
  }

  /** Those that the last list of all projects did not have. */
  async dropUnseen(walk: string): Promise<void> {
    await this.rows.updateMany({ walk: { $ne: walk }, state: { $ne: 'removing' } }, removing());
  }

  /** Of which something is to be done by now, longest first. */
  listDue(state: ReplicaState, limit: number): Promise<ReplicaRow[]> {
    return this.rows
      .find({ state, dueAt: { $lte: new Date() } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<ReplicaRow[]>();
  }

  countIn(state: ReplicaState): Promise<number> {
    return this.rows.countDocuments({ state });
  }

  /** @returns false where something else is wanted by now */
  async beginAsking(row: ReplicaRow): Promise<boolean> {
    const $set = { state: 'asked', dueAt: later(askingMs) } as const;
    return (await this.rows.updateOne(same(row), { $set })).matchedCount === 1;
  }

  async asked({ _id, turn }: ReplicaRow): Promise<void> {
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: { dueAt: later(silenceMs) } });
  }

  /** What was to be asked could not be: again in a while. */
  async failed({ _id, tries }: ReplicaRow, error: string): Promise<void> {
    const $set = { state: 'failed', error, triedAt: new Date(), dueAt: later(againAfterMs(tries)) } as const;
    await this.rows.updateOne({ _id, state: { $in: ['asked', 'synced'] } }, { $set, $inc: { tries: 1 } });
  }

  /** What is wanted since it was asked for stays wanted. */
  async synced(_id: number, checksum: string | null, syncedAt: Date): Promise<void> {
    const $set = { checksum, syncedAt, triedAt: syncedAt, error: null, tries: 0 };
    await this.rows.updateOne({ _id }, { $set });
    await this.rows.updateOne({ _id, state: { $in: ['asked', 'failed'] } }, { $set: { state: 'synced', dueAt: null } });
  }

  get(_id: number): Promise<ReplicaRow | null> {
    return this.rows.findById(_id).lean<ReplicaRow>();
  }

  /** What could not be removed: again in a while. */
  async postpone(row: ReplicaRow): Promise<void> {
    await this.rows.updateOne(same(row), { $set: { dueAt: later(againAfterMs(0)) } });
  }

  async remove(row: ReplicaRow): Promise<void> {
    await this.rows.deleteOne(same(row));
  }

  pageOfFailed(input: { page: number; per_page: number }): Promise<Page<ReplicaRow>> {
    return findPage(this.rows, { state: 'failed' }, { _id: 1 }, input);
  }
}

const later = (ms: number): Date => new Date(Date.now() + ms);
const same = ({ _id, turn }: ReplicaRow) => ({ _id, turn });
const removing = () => ({ $set: { state: 'removing', dueAt: new Date(), turn: randomUUID() } as const });
