import type { Readable } from 'node:stream';
import { commonErrors, present } from '@moothall/contracts';
import { Counters, databaseTime, isDuplicateKey } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LfsContent } from './lfs-content.schema';

type AnnouncedFile = Pick<LfsContent, 'oid' | 'sizeBytes' | 'projectId'>;

export const keyOf = ({ _id, oid }: Pick<LfsContent, '_id' | 'oid'>): string =>
  `lfs/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${_id}`;

/** Queries on contents of Git LFS, including the files. A record is written before its file and deleted after it. */
@Injectable()
export class LfsContents {
  constructor(
    @InjectModel('LfsContent') private readonly contents: Model<LfsContent>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /** From now on the content counts for the project as an upload in progress. */
  async begin(announced: AnnouncedFile): Promise<LfsContent> {
    const _id = await this.counters.next('lfs_contents');
    const made = { ...announced, status: 'receiving' as const, isArriving: true, turns: 0 };
    const content = await this.contents
      .findOneAndUpdate(
        { _id },
        { $setOnInsert: made, $currentDate: { seenAt: true } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<LfsContent>();
    return present(content, 'the bytes that were announced');
  }

  write(content: LfsContent, bytes: Readable): Promise<{ sizeBytes: number }> {
    return this.storage.write(keyOf(content), bytes);
  }

  /** Records progress. @throws common.unavailable if the upload was aborted */
  async seen({ _id }: LfsContent): Promise<void> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: 'receiving' },
      { $currentDate: { seenAt: true } },
    );
    if (matchedCount === 0) throw commonErrors.unavailable();
  }

  /**
   * The content is complete. Until a project refers to it, a check is pending.
   * @returns the stored content of that object, possibly from an earlier upload; undefined if that one is being removed
   */
  async store({ _id, oid }: LfsContent): Promise<LfsContent | undefined> {
    try {
      await this.contents.updateOne(
        { _id, status: 'receiving' },
        { $set: { status: 'stored', slot: oid, isSuspect: true } },
      );
    } catch (error) {
      if (!isDuplicateKey(error, 'slot')) throw error;
    }
    return (await this.contents.findOne({ slot: oid }).lean<LfsContent>()) ?? undefined;
  }

  /**
   * Called after a project refers to the content.
   * @param hasArrived whether the uploading project refers to it: from now on its reference counts
   * @returns whether the content is there, and stays; else it is being removed
   */
  async hold(_id: number, hasArrived: boolean): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: 'stored' },
      { $inc: { turns: 1 }, ...(hasArrived && { $unset: { isArriving: 1 } }) },
    );
    return matchedCount > 0;
  }

  /** The same for many. @returns the ids of existing contents */
  async holdAll(ids: readonly number[]): Promise<Set<number>> {
    await this.contents.updateMany({ _id: { $in: [...ids] }, status: 'stored' }, { $inc: { turns: 1 } });
    return this.there(ids);
  }

  async there(ids: readonly number[]): Promise<Set<number>> {
    const stored = { _id: { $in: [...ids] }, status: 'stored' as const };
    return new Set((await this.contents.find(stored, { _id: 1 }).lean<{ _id: number }[]>()).map(({ _id }) => _id));
  }

  /** By ascending id. */
  storedAbove(_id: number, limit: number): Promise<LfsContent[]> {
    const above = { status: 'stored', _id: { $gt: _id } } as const;
    return this.contents.find(above).sort({ _id: 1 }).limit(limit).lean<LfsContent[]>();
  }

  newestStored(limit: number): Promise<LfsContent[]> {
    return this.contents.find({ status: 'stored' }).sort({ _id: -1 }).limit(limit).lean<LfsContent[]>();
  }

  /** Estimated count from collection metadata. */
  count(): Promise<number> {
    return this.contents.estimatedDocumentCount();
  }

  async find(_id: number): Promise<LfsContent | null> {
    return this.contents.findOne({ _id, status: 'stored' }).lean<LfsContent>();
  }

  /** Bytes of uploads to a project that it does not refer to yet. */
  async onTheirWay(projectId: number): Promise<number> {
    const [sum] = await this.contents.aggregate<{ bytes: number }>([
      { $match: { projectId, isArriving: true } },
      { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
    ]);
    return sum?.bytes ?? 0;
  }

  /** Marks contents that may become unused. Called before references are removed, so that the mark is never lost. */
  async suspect(ids: readonly number[]): Promise<void> {
    await this.contents.updateMany({ _id: { $in: [...ids] } }, { $set: { isSuspect: true }, $inc: { turns: 1 } });
  }

  suspects(): AsyncIterable<LfsContent> {
    return this.contents.find({ isSuspect: true, status: 'stored' }).lean<LfsContent>().cursor();
  }

  /** Clears the mark of a content that is in use, unless a reference changed meanwhile. */
  async clear({ _id, turns }: LfsContent): Promise<void> {
    await this.contents.updateOne({ _id, turns }, { $unset: { isSuspect: 1, isArriving: 1 } });
  }

  /**
   * Starts the removal of an unused content; from now on no project can refer to it. @returns false if a project
   * referred to it meanwhile
   */
  async beginRemoval({ _id, turns }: LfsContent): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, turns, status: 'stored' },
      { $set: { status: 'removing' }, $unset: { slot: 1, isSuspect: 1, isArriving: 1 } },
    );
    return matchedCount > 0;
  }

  /** Contents to delete: marked for removal, or an upload without progress for so long. */
  async leftovers(silentMs: number): Promise<AsyncIterable<LfsContent>> {
    const since = new Date((await databaseTime(this.contents.db)).getTime() - silentMs);
    return this.contents
      .find({ $or: [{ status: 'removing' }, { status: 'receiving', seenAt: { $lt: since } }] })
      .lean<LfsContent>()
      .cursor();
  }

  /** Deletes an upload that was never completed. The periodic job retries failures. */
  async giveUp(content: LfsContent): Promise<void> {
    if (await this.markLeftover(content)) await this.erase(content);
  }

  /** @returns false if it is stored by now */
  async markLeftover({ _id }: LfsContent): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: { $ne: 'stored' } },
      { $set: { status: 'removing' }, $unset: { isArriving: 1 } },
    );
    return matchedCount > 0;
  }

  /** Deletes a content that is marked for removal. */
  async erase(content: LfsContent): Promise<void> {
    await this.storage.remove(keyOf(content));
    await this.contents.deleteOne({ _id: content._id, status: 'removing' });
  }
}
