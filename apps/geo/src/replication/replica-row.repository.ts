import { randomUUID } from 'node:crypto';
import { batched } from '@moothall/background';
import { collectionOf, isDuplicateKey, writeAll } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { GeoSettings } from '../settings/settings';
import { againAfterMs, type BackOff } from './back-off';
import {
  type ReplicaKind,
  type ReplicaRow,
  type ReplicaState,
  type RepositoryKind,
  type RepositoryRow,
  type RowOf,
  repositoryKinds,
  type VerificationState,
} from './replica-row.schema';

/** A repository to copy. */
export interface WantedRepository {
  projectId: number;
  kind: RepositoryKind;
  path: string;
}

/** A completed copy of a repository. */
export interface Copied {
  projectId: number;
  kind: RepositoryKind;
  checksum: string | null;
  syncedAt: Date;
}

/** Batch size. */
const atOnce = 100;
/** A request takes seconds at most: an older one was interrupted. */
const askingMs = 60_000;

/** Queries on the copies of this site. */
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

  /** Requests copies of repositories from the primary. */
  async want(wanted: readonly WantedRepository[], walk: string): Promise<void> {
    if (wanted.length === 0) return;
    const dueAt = new Date();
    const writes = wanted.map(({ projectId, kind, path }) => {
      const $set = { path, walk, state: 'pending', dueAt, turn: randomUUID() } as const;
      const $setOnInsert = { projectId, kind, ...untried };
      return { updateOne: { filter: { _id: idOf(projectId, kind) }, update: { $set, $setOnInsert }, upsert: true } };
    });
    const write = () => writeAll(collectionOf(this.rows), writes);
    await write().catch((error: unknown) => {
      // A concurrent request was first.
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  /** Removes the copies of projects, of one kind or all. */
  async drop(projectIds: readonly number[], kind?: ReplicaKind): Promise<void> {
    if (projectIds.length === 0) return;
    const wanted = { state: { $ne: 'removing' } } as const;
    await this.rows.updateMany({ projectId: { $in: [...projectIds] }, ...(kind && { kind }), ...wanted }, removing());
  }

  /** Removes repositories that the last walk over all projects did not have. */
  async dropUnseen(walk: string): Promise<void> {
    const unseen = { kind: { $in: [...repositoryKinds] }, walk: { $ne: walk }, state: { $ne: 'removing' } } as const;
    await this.rows.updateMany(unseen, removing());
  }

  /** Copies with due work, longest first. */
  listDue<K extends ReplicaKind>(kinds: readonly K[], state: ReplicaState, limit: number): Promise<RowOf<K>[]> {
    return this.listLate(kinds, { state, dueAt: { $lte: new Date() } }, 'dueAt', limit);
  }

  /** Whether {@link listDue} finds any in any state. */
  async isAnyDue(kinds: readonly ReplicaKind[]): Promise<boolean> {
    const states: ReplicaState[] = ['removing', 'asked', 'pending', 'failed'];
    const due = { kind: { $in: [...kinds] }, state: { $in: states }, dueAt: { $lte: new Date() } };
    return (await this.rows.exists(due)) !== null;
  }

  /** Copies whose verification is running, longest first. */
  listToVerify<K extends ReplicaKind>(
    kinds: readonly K[],
    verification: VerificationState,
    limit: number,
    verifyAt = new Date(),
  ): Promise<RowOf<K>[]> {
    return this.listLate(kinds, { verification, verifyAt: { $lte: verifyAt } }, 'verifyAt', limit);
  }

  /** Kind by kind, so that each query uses an index. */
  private async listLate<K extends ReplicaKind>(
    kinds: readonly K[],
    filter: QueryFilter<ReplicaRow>,
    order: 'dueAt' | 'verifyAt',
    limit: number,
  ): Promise<RowOf<K>[]> {
    if (limit <= 0) return [];
    const found = await Promise.all(
      kinds.map((kind) =>
        this.rows
          .find({ kind, ...filter })
          .sort({ [order]: 1 })
          .limit(limit)
          .lean<RowOf<K>[]>(),
      ),
    );
    return found.flat().toSorted(earlierBy(order)).slice(0, limit);
  }

  countIn(kinds: readonly ReplicaKind[], state: ReplicaState): Promise<number> {
    return this.rows.countDocuments({ kind: { $in: [...kinds] }, state });
  }

  countVerifying(kinds: readonly ReplicaKind[]): Promise<number> {
    return this.rows.countDocuments({ kind: { $in: [...kinds] }, verification: 'asked' });
  }

  /** @returns false if the request changed meanwhile */
  async beginAsking(row: ReplicaRow): Promise<boolean> {
    const $set = { state: 'asked', dueAt: later(askingMs) } as const;
    // Another process may have found it, too.
    const found = { ...same(row), dueAt: row.dueAt };
    return (await this.rows.updateOne(found, { $set })).matchedCount === 1;
  }

  /** It is still being copied. */
  async goesOn({ _id, turn }: ReplicaRow): Promise<void> {
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: { dueAt: later(askingMs) } });
  }

  /** Concurrent calls share one write. */
  readonly asked: (row: ReplicaRow) => Promise<void> = batched((rows) => this.noteAsked(rows), { most: atOnce });

  private async noteAsked(rows: readonly ReplicaRow[]): Promise<undefined[]> {
    const $set = { dueAt: later(this.silenceMs) };
    const filters = rows.map(({ _id, turn }) => ({ _id, turn, state: 'asked' }));
    await writeAll(
      collectionOf(this.rows),
      filters.map((filter) => ({ updateOne: { filter, update: { $set } } })),
    );
    return rows.map(() => undefined);
  }

  /** The request failed: retried later. */
  failed(row: ReplicaRow, error: string): Promise<void> {
    return this.fail(row, error, againAfterMs(row.tries, this.backOff));
  }

  /** The primary has the project without a repository: an event will report a later one. */
  missing(row: ReplicaRow, error: string): Promise<void> {
    return this.fail(row, error, this.missingMs);
  }

  private async fail({ _id }: ReplicaRow, error: string, afterMs: number): Promise<void> {
    const $set = { state: 'failed', error, triedAt: new Date(), dueAt: later(afterMs) } as const;
    await this.rows.updateOne({ _id, state: { $in: ['asked', 'synced'] } }, { $set, $inc: { tries: 1 } });
  }

  /** Changes since the request remain pending. A changed copy is then verified. Concurrent calls share one write. */
  readonly synced: (copy: Copied) => Promise<void> = batched((copies) => this.noteSynced(copies), { most: atOnce });

  private async noteSynced(copies: readonly Copied[]): Promise<undefined[]> {
    await writeAll(
      collectionOf(this.rows),
      copies.map(({ projectId, kind, checksum, syncedAt }) => {
        const isKnown = { $and: [{ $eq: ['$verification', 'verified'] }, { $eq: ['$checksum', checksum] }] };
        const isAsked = { $in: ['$state', ['asked', 'failed']] };
        const $set = {
          checksum,
          syncedAt,
          triedAt: syncedAt,
          error: null,
          tries: 0,
          verification: { $cond: [isKnown, '$verification', 'comparing'] },
          verifyAt: { $cond: [isKnown, '$verifyAt', new Date()] },
          state: { $cond: [isAsked, 'synced', '$state'] },
          dueAt: { $cond: [isAsked, null, '$dueAt'] },
        };
        return { updateOne: { filter: { _id: idOf(projectId, kind) }, update: [{ $set }] } };
      }),
    );
    return copies.map(() => undefined);
  }

  /** @returns false if another verification is running by now */
  async beginVerifying({ _id, verification, verifyAt }: ReplicaRow): Promise<boolean> {
    const $set = { verification: 'asked', verifyAt: later(this.silenceMs) } as const;
    return (await this.rows.updateOne({ _id, verification, verifyAt }, { $set })).matchedCount === 1;
  }

  /** The copy was read; it is compared with the primary next. */
  async wasRead({ _id }: ReplicaRow, checksum: string | null): Promise<void> {
    const $set = { checksum, verification: 'comparing', verifyAt: new Date() } as const;
    await this.rows.updateOne({ _id, verification: 'asked' }, { $set });
  }

  /** Copies that are pending are verified after the copy. */
  async leaveUntilSynced(rows: readonly ReplicaRow[]): Promise<void> {
    const ids = rows.filter(({ state }) => state !== 'synced').map(({ _id }) => _id);
    if (ids.length === 0) return;
    const wanted = { _id: { $in: ids }, verification: 'comparing', state: { $ne: 'synced' } } as const;
    await this.rows.updateMany(wanted, { $set: { verifyAt: null } });
  }

  /** They match the primary, unless they changed since. */
  async verified(rows: readonly ReplicaRow[]): Promise<void> {
    if (rows.length === 0) return;
    const now = new Date();
    const $set = {
      verification: 'verified',
      verifyAt: now,
      verifiedAt: now,
      verifyTries: 0,
      verifyError: null,
    } as const;
    await writeAll(
      collectionOf(this.rows),
      rows.map(({ _id, checksum }) => ({
        updateOne: { filter: { _id, checksum, verification: 'comparing' }, update: { $set } },
      })),
    );
  }

  /** Verification failed, or the copy is damaged: retried later. */
  async notVerified(row: ReplicaRow, verifyError: string, verification: VerificationState = 'failed'): Promise<void> {
    const verifyAt = later(againAfterMs(row.verifyTries, this.backOff));
    await this.rows.updateOne(
      { _id: row._id, verification: row.verification },
      { $set: { verification, verifyAt, verifyError }, $inc: { verifyTries: 1 } },
    );
  }

  /**
   * Requests another copy from the primary: immediately the first time, with increasing delays after further failures.
   */
  async heal({ _id, verifyTries }: ReplicaRow): Promise<void> {
    const dueAt = verifyTries === 0 ? new Date() : later(againAfterMs(verifyTries, this.backOff));
    const $set = { state: 'pending', dueAt, turn: randomUUID() } as const;
    await this.rows.updateOne({ _id, state: 'synced' }, { $set });
  }

  get(projectId: number, kind: RepositoryKind): Promise<RepositoryRow | null> {
    return this.rows.findById(idOf(projectId, kind)).lean<RepositoryRow>();
  }

  /** The removal failed: retried later. */
  async postpone(row: ReplicaRow, error: string): Promise<void> {
    const $set = { error, triedAt: new Date(), dueAt: later(againAfterMs(row.tries, this.backOff)) };
    await this.rows.updateOne(same(row), { $set, $inc: { tries: 1 } });
  }

  async remove(row: ReplicaRow): Promise<void> {
    await this.rows.deleteOne(same(row));
  }
}

const idOf = (projectId: number, kind: RepositoryKind): string => `${projectId}-${kind}`;
export const untried = {
  tries: 0,
  error: null,
  checksum: null,
  triedAt: null,
  syncedAt: null,
  verification: 'none',
  verifyAt: null,
  verifyTries: 0,
  verifyError: null,
  verifiedAt: null,
} as const;
const earlierBy =
  (order: 'dueAt' | 'verifyAt') =>
  (one: ReplicaRow, other: ReplicaRow): number =>
    Number(one[order]) - Number(other[order]);
export const later = (ms: number): Date => new Date(Date.now() + ms);
const same = ({ _id, turn }: ReplicaRow) => ({ _id, turn });
export const removing = () => ({
  $set: {
    state: 'removing',
    dueAt: new Date(),
    turn: randomUUID(),
    tries: 0,
    error: null,
    verification: 'none',
    verifyAt: null,
    verifyTries: 0,
  } as const,
});
