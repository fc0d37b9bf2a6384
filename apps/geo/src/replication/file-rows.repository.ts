import { randomUUID } from 'node:crypto';
import type { CopiedFile, FileKind } from '@moothall/contracts';
import { collectionOf, isDuplicateKey, writeAll } from '@moothall/database';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { GeoSettings } from '../settings/settings';
import type { FilePosition } from './file-position.schema';
import { later, removing, untried } from './replica-row.repository';
import type { FileRow, ReplicaRow } from './replica-row.schema';

type Known = Pick<FileRow, '_id' | 'fileId' | 'state'>;

const idOf = (kind: FileKind, fileId: CopiedFile['id']): string => `${kind}/${fileId}`;

/** Queries on files that this site copies, and on the walks over their lists. */
@Injectable()
export class FileRows {
  private readonly missingMs: number;

  constructor(
    @InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>,
    @InjectModel('FilePosition') private readonly positions: Model<FilePosition>,
    @Inject(settingsToken) settings: GeoSettings,
  ) {
    this.missingMs = settings.GEO_RETRY_MISSING * 1000;
  }

  position(kind: FileKind): Promise<FilePosition | null> {
    return this.positions.findById(kind).lean<FilePosition>();
  }

  /** Starts a walk. */
  async beginWalk(kind: FileKind, selection: string): Promise<void> {
    const $set = { isWalking: true, after: null, beganAt: new Date(), selection };
    const write = () => this.positions.updateOne({ _id: kind }, { $set }, { upsert: true });
    await write().catch((error: unknown) => {
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  /** Has no effect if another has continued or restarted meanwhile. @param after null at the end */
  async advance({ _id, after: from, beganAt }: FilePosition, after: CopiedFile['id'] | null): Promise<void> {
    const $set = after === null ? { isWalking: false, walkedAt: beganAt, after } : { after };
    await this.positions.updateOne({ _id, after: from, beganAt, isWalking: true }, { $set });
  }

  /** Known files between two ids; up to the last one without an upper bound. */
  between(kind: FileKind, above: CopiedFile['id'] | null, upTo: CopiedFile['id'] | null): Promise<Known[]> {
    const bounds = { ...(above !== null && { $gt: above }), ...(upTo !== null && { $lte: upTo }) };
    const range = Object.keys(bounds).length > 0 ? bounds : { $exists: true };
    return this.rows.find({ kind, fileId: range } as QueryFilter<ReplicaRow>, { fileId: 1, state: 1 }).lean<Known[]>();
  }

  /** The known ones of these files. */
  among(kind: FileKind, files: readonly CopiedFile[]): Promise<Known[]> {
    const _id = { $in: files.map(({ id }) => idOf(kind, id)) };
    return this.rows.find({ _id }, { fileId: 1, state: 1 }).lean<Known[]>();
  }

  /** Records files to copy. Known files stay unchanged, unless they were to be removed. */
  async want(kind: FileKind, files: readonly CopiedFile[]): Promise<void> {
    if (files.length === 0) return;
    const dueAt = new Date();
    const writes = files.map(({ id, key, size, sha256, project_ids }) => {
      const [only, ...others] = project_ids;
      const projectId = only !== undefined && others.length === 0 && kind !== 'lfs_objects' ? only : null;
      const facts = { projectId, kind, path: key, fileId: id, sizeBytes: size, sha256, walk: '' };
      const fresh = { ...untried, ...facts, state: 'pending', dueAt, turn: randomUUID() } as const;
      return { updateOne: { filter: { _id: idOf(kind, id) }, update: { $setOnInsert: fresh }, upsert: true } };
    });
    const write = () => writeAll(collectionOf(this.rows), writes);
    await write().catch((error: unknown) => {
      if (isDuplicateKey(error)) return write();
      throw error;
    });
    const back = { _id: { $in: files.map(({ id }) => idOf(kind, id)) }, state: 'removing' } as const;
    await this.rows.updateMany(back, { $set: { state: 'pending', dueAt, turn: randomUUID(), tries: 0, error: null } });
  }

  async drop(rows: readonly Pick<FileRow, '_id'>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.rows.updateMany({ _id: { $in: rows.map(({ _id }) => _id) }, state: { $ne: 'removing' } }, removing());
  }

  /** The copy is stored and matches the primary's size and checksum. */
  async kept({ _id, turn }: FileRow, checksum: string): Promise<void> {
    const now = new Date();
    const ended = { state: 'synced', dueAt: null, syncedAt: now, triedAt: now, error: null, tries: 0 } as const;
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: { ...ended, checksum, ...verifiedAt(now) } });
  }

  /** The primary has the record but not the file: nothing to copy; checked again later. */
  async missing({ _id, turn }: FileRow): Promise<void> {
    const now = new Date();
    const ended = { state: 'synced', dueAt: null, triedAt: now, error: null, tries: 0, checksum: null } as const;
    const verification = { verification: 'missing', verifyAt: later(this.missingMs) } as const;
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: { ...ended, ...verification } });
  }

  /** Requests another copy. */
  async copyAgain({ _id, verification }: FileRow): Promise<void> {
    const $set = { state: 'pending', dueAt: new Date(), turn: randomUUID() } as const;
    await this.rows.updateOne({ _id, state: 'synced', verification }, { $set: { ...$set, verifyAt: null } });
  }

  /** The copy was read and matches. */
  async verified({ _id }: FileRow): Promise<void> {
    await this.rows.updateOne({ _id, verification: 'asked' }, { $set: verifiedAt(new Date()) });
  }
}

const verifiedAt = (now: Date) =>
  ({ verification: 'verified', verifyAt: now, verifiedAt: now, verifyTries: 0, verifyError: null }) as const;
