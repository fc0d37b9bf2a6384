import { geoErrors } from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type FeedEntry, type FeedPage, pageSize } from './feed-page.schema';

/** Number of full pages that are stored: 100,000 events. */
const keptPages = 1000;

/** The newest event. */
export interface FeedEnd {
  /** Its number; 0 if there is none. */
  lastId: number;
  lastAt: Date | null;
}

export interface FeedPart extends FeedEnd {
  events: (FeedEntry & { id: number })[];
}

/** Changes that secondaries have to copy, in one order. */
@Injectable()
export class Feed {
  constructor(@InjectModel('FeedPage') private readonly pages: Model<FeedPage>) {}

  async add(entry: FeedEntry): Promise<void> {
    for (;;) {
      const newest = await this.newest();
      if (newest && newest.count < pageSize) {
        const { matchedCount } = await this.pages.updateOne(
          { _id: newest._id, count: { $lt: pageSize } },
          { $push: { events: entry }, $inc: { count: 1 } },
        );
        if (matchedCount === 1) return;
      } else if (await this.begin((newest?._id ?? -1) + 1, entry)) return;
    }
  }

  /** @returns false if another process started that page */
  private async begin(_id: number, entry: FeedEntry): Promise<boolean> {
    try {
      await this.pages.create({ _id, count: 1, events: [entry] });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Events after a cursor; without a cursor none, and the current end. @throws geo.cursor_expired */
  async read(cursor: number | undefined, limit: number): Promise<FeedPart> {
    // Read before the pages: earlier ones are full by then.
    const newest = await this.newest();
    const { lastId, lastAt } = endOf(newest);
    if (cursor === undefined || cursor === lastId) return { events: [], lastId, lastAt };
    if (!newest || cursor > lastId) throw geoErrors.cursorExpired();
    const first = Math.floor(cursor / pageSize);
    const last = Math.floor((cursor + limit - 1) / pageSize);
    const pages = await this.pages
      .find({ _id: { $gte: first, $lte: Math.min(last, newest._id) } })
      .sort({ _id: 1 })
      .lean<FeedPage[]>();
    // A trimmed page is missing, or was started again by a process that was suspended.
    const isWhole = (page: FeedPage, index: number) =>
      page._id === first + index && (page._id === newest._id || page.count === pageSize);
    if (pages.length === 0 || !pages.every(isWhole)) throw geoErrors.cursorExpired();
    const events = pages
      .flatMap((page) => page.events.map((event, index) => ({ ...event, id: page._id * pageSize + index + 1 })))
      .filter(({ id }) => id > cursor)
      .slice(0, limit);
    const end = events.at(-1);
    return end && end.id > lastId ? { events, lastId: end.id, lastAt: end.at } : { events, lastId, lastAt };
  }

  async end(): Promise<FeedEnd> {
    return endOf(await this.newest());
  }

  /** A secondary that needs older events starts again. The newest page stays, because it numbers events. */
  async trim(): Promise<void> {
    const newest = await this.newest();
    if (newest) await this.pages.deleteMany({ _id: { $lt: newest._id - keptPages } });
  }

  private newest(): Promise<FeedPage | null> {
    return this.pages.findOne().sort({ _id: -1 }).lean<FeedPage>();
  }
}

const endOf = (newest: FeedPage | null): FeedEnd => ({
  lastId: newest ? newest._id * pageSize + newest.count : 0,
  lastAt: newest?.events.at(-1)?.at ?? null,
});
