import { randomUUID } from 'node:crypto';
import type { GeoProject, Page } from '@moothall/contracts';
import { collectionOf, findPage, isDuplicateKey, writeAll } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { GeoSettings } from '../settings/settings';
import { againAfterMs, type BackOff } from './back-off';
import type { ReplicaRow, ReplicaState } from './replica-row.schema';

/** Asking takes seconds at most: what is not asked by then is so because this process ended in between. */
const askingMs = 60_000;

/** Queries on what this site copies. */
@Injectable()
export class ReplicaRows {
  private readonly backOff: BackOff;
  private readonly missingMs: number;
  private readonly silenceMs: number;

  constructor(
    @InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>,
    @Inject(settingsToken) settings: GeoSettings,
  ) {
    this.backOff = { firstMs: settings.GEO_RETRY_FIRST * 1000, longestMs: settings.GEO_RETRY_LONGEST * 1000 };
    this.missingMs = settings.GEO_RETRY_MISSING * 1000;
    this.silenceMs = settings.GEO_SILENCE * 1000;
  }

  /** Notes that repositories are to be made like those of the primary. */
  async want(projects: readonly GeoProject[], walk: string): Promise<void> {
    if (projects.length === 0) return;
    const dueAt = new Date();
    const wishes = projects.map(({ id, path_with_namespace: path }) => {
      const $set = { path, walk, state: 'pending', dueAt, turn: randomUUID() } as const;
      return { updateOne: { filter: { _id: id }, update: { $set, $setOnInsert: untried }, upsert: true } };
    });
    const write = () => writeAll(collectionOf(this.rows), wishes);
    await write().catch((error: unknown) => {
      // Two came at once.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  async drop(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.rows.updateMany({ _id: { $in: [...ids] } }, removing());
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
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: { dueAt: later(this.silenceMs) } });
  }

  /** What was to be asked could not be: again in a while. */
  failed(row: ReplicaRow, error: string): Promise<void> {
    return this.fail(row, error, againAfterMs(row.tries, this.backOff));
  }

  /** The primary has the project, and no repository of it: it hardly has one soon, and tells of it then. */
  missing(row: ReplicaRow, error: string): Promise<void> {
    return this.fail(row, error, this.missingMs);
  }

  private async fail({ _id }: ReplicaRow, error: string, afterMs: number): Promise<void> {
    const $set = { state: 'failed', error, triedAt: new Date(), dueAt: later(afterMs) } as const;
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
  async postpone(row: ReplicaRow, error: string): Promise<void> {
    const $set = { error, triedAt: new Date(), dueAt: later(againAfterMs(row.tries, this.backOff)) };
    await this.rows.updateOne(same(row), { $set, $inc: { tries: 1 } });
  }

  async remove(row: ReplicaRow): Promise<void> {
    await this.rows.deleteOne(same(row));
  }

  pageOfFailed(input: { page: number; per_page: number }): Promise<Page<ReplicaRow>> {
    return findPage(this.rows, { state: 'failed' }, { _id: 1 }, input);
  }
}

const untried = { tries: 0, error: null, checksum: null, triedAt: null, syncedAt: null };
const later = (ms: number): Date => new Date(Date.now() + ms);
const same = ({ _id, turn }: ReplicaRow) => ({ _id, turn });
const removing = () => ({
  $set: { state: 'removing', dueAt: new Date(), turn: randomUUID(), tries: 0, error: null } as const,
});
