import { randomUUID } from 'node:crypto';
import { type CopiedImage, imageKind } from '@moothall/contracts';
import { collectionOf, isDuplicateKey, writeAll } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { removing, untried } from './replica-row.repository';
import type { ImageRow, ReplicaRow } from './replica-row.schema';

type Known = Pick<ImageRow, '_id' | 'fileId' | 'path' | 'state'> & { version: number };

const idOf = (id: number): string => `${imageKind}/${id}`;

/** Queries on image repositories that this site copies. */
@Injectable()
export class ImageRows {
  constructor(@InjectModel('ReplicaRow') private readonly rows: Model<ReplicaRow>) {}

  /** Known ones between two ids; up to the last one without an upper bound. */
  between(above: number, upTo: number | null): Promise<Known[]> {
    const fileId = { $gt: above, ...(upTo !== null && { $lte: upTo }) };
    const fields = { fileId: 1, path: 1, state: 1, version: 1 } as const;
    return this.rows.find({ kind: imageKind, fileId }, fields).lean<Known[]>();
  }

  /** Records those that are new, or whose tags have changed. */
  async want(images: readonly CopiedImage[], known: readonly Known[]): Promise<void> {
    const same = new Set(
      known.flatMap(({ fileId, version, state }) => (state === 'removing' ? [] : [`${fileId} ${version}`])),
    );
    const changed = images.filter(({ id, version }) => !same.has(`${id} ${version}`));
    if (changed.length === 0) return;
    const writes = changed.map(({ id, path, project_id, version }) => {
      const $set = { path, version, state: 'pending', dueAt: new Date(), turn: randomUUID(), walk: '' } as const;
      const $setOnInsert = { kind: imageKind, fileId: id, projectId: project_id, ...untried };
      return { updateOne: { filter: { _id: idOf(id) }, update: { $set, $setOnInsert }, upsert: true } };
    });
    const write = () => writeAll(collectionOf(this.rows), writes);
    await write().catch((error: unknown) => {
      if (isDuplicateKey(error)) return write();
      throw error;
    });
  }

  async drop(rows: readonly Pick<ImageRow, '_id'>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.rows.updateMany({ _id: { $in: rows.map(({ _id }) => _id) }, state: { $ne: 'removing' } }, removing());
  }

  /** All its tags are copied, unless they changed meanwhile. */
  async kept({ _id, turn }: ImageRow): Promise<void> {
    const now = new Date();
    const ended = { state: 'synced', dueAt: null, syncedAt: now, triedAt: now, error: null, tries: 0 } as const;
    await this.rows.updateOne({ _id, turn, state: 'asked' }, { $set: ended });
  }
}
