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

/** Queries on bytes of Git LFS, together with the bytes. A record comes before its bytes and goes after them. */
@Injectable()
export class LfsContents {
  constructor(
    @InjectModel('LfsContent') private readonly contents: Model<LfsContent>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  /** From here on the bytes count as on their way to the project. */
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

  /** More of them has come. @throws common.unavailable where they were given up */
  async seen({ _id }: LfsContent): Promise<void> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: 'receiving' },
      { $currentDate: { seenAt: true } },
    );
    if (matchedCount === 0) throw commonErrors.unavailable();
  }

  /**
   * The bytes are wholly here. Until somebody is noted to have them, they are looked after.
   * @returns those that there are of that object now, which others may have sent before; undefined where these just go
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
   * Somebody was noted to have them.
   * @param hasArrived the project that sent them was noted: from here on they count by its note
   * @returns whether they are there, and so stay; else they are being removed
   */
  async hold(_id: number, hasArrived: boolean): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: 'stored' },
      { $inc: { turns: 1 }, ...(hasArrived && { $unset: { isArriving: 1 } }) },
    );
    return matchedCount > 0;
  }

  /** The same for many. @returns those that are there */
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

  /** As the database knows it without reading them. */
  count(): Promise<number> {
    return this.contents.estimatedDocumentCount();
  }

  async find(_id: number): Promise<LfsContent | null> {
    return this.contents.findOne({ _id, status: 'stored' }).lean<LfsContent>();
  }

  /** Bytes that are on their way to a project, until the project is noted to have them. */
  async onTheirWay(projectId: number): Promise<number> {
    const [sum] = await this.contents.aggregate<{ bytes: number }>([
      { $match: { projectId, isArriving: true } },
      { $group: { _id: null, bytes: { $sum: '$sizeBytes' } } },
    ]);
    return sum?.bytes ?? 0;
  }

  /** Marks contents whose users may release them. Before the release, so that it is not lost. */
  async suspect(ids: readonly number[]): Promise<void> {
    await this.contents.updateMany({ _id: { $in: [...ids] } }, { $set: { isSuspect: true }, $inc: { turns: 1 } });
  }

  suspects(): AsyncIterable<LfsContent> {
    return this.contents.find({ isSuspect: true, status: 'stored' }).lean<LfsContent>().cursor();
  }

  /** Somebody has them, unless something has come in between. */
  async clear({ _id, turns }: LfsContent): Promise<void> {
    await this.contents.updateOne({ _id, turns }, { $unset: { isSuspect: 1, isArriving: 1 } });
  }

  /** Nobody has them, and from here on nobody comes to. @returns false where somebody came to have them meanwhile */
  async beginRemoval({ _id, turns }: LfsContent): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, turns, status: 'stored' },
      { $set: { status: 'removing' }, $unset: { slot: 1, isSuspect: 1, isArriving: 1 } },
    );
    return matchedCount > 0;
  }

  /** Bytes that are not to be there: a removal has begun, or nothing more of them came for so long. */
  async leftovers(silentMs: number): Promise<AsyncIterable<LfsContent>> {
    const since = new Date((await databaseTime(this.contents.db)).getTime() - silentMs);
    return this.contents
      .find({ $or: [{ status: 'removing' }, { status: 'receiving', seenAt: { $lt: since } }] })
      .lean<LfsContent>()
      .cursor();
  }

  /** Removes what never was stored. What cannot be removed is found again by the periodic job. */
  async giveUp(content: LfsContent): Promise<void> {
    if (await this.markLeftover(content)) await this.erase(content);
  }

  /** @returns false for what is stored by now */
  async markLeftover({ _id }: LfsContent): Promise<boolean> {
    const { matchedCount } = await this.contents.updateOne(
      { _id, status: { $ne: 'stored' } },
      { $set: { status: 'removing' }, $unset: { isArriving: 1 } },
    );
    return matchedCount > 0;
  }

  /** Of what is being removed. */
  async erase(content: LfsContent): Promise<void> {
    await this.storage.remove(keyOf(content));
    await this.contents.deleteOne({ _id: content._id, status: 'removing' });
  }
}
