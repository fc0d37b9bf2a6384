import type { GeoEventKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

export interface FeedEntry {
  kind: GeoEventKind;
  projectId: number | null;
  groupId: number | null;
  at: Date;
}

/** How many events a page has. Their numbers follow from it, so that it never changes. */
export const pageSize = 100;

/**
 * Events of the feed, as many as {@link pageSize}. The number of an event is its place: that of its page, and that on the page.
 * An update that puts it there numbers it and makes it visible at once; and a page is begun when the one before it is full.
 * So an event never becomes visible in front of one that was read, however many replicas write.
 */
export interface FeedPage {
  /** From 0. */
  _id: number;
  count: number;
  events: FeedEntry[];
}

const feedEntrySchema = new Schema<FeedEntry>(
  { kind: String, projectId: Number, groupId: Number, at: Date },
  { _id: false, versionKey: false },
);

export const feedPageSchema = new Schema<FeedPage>(
  { _id: Number, count: Number, events: { type: [feedEntrySchema], most: pageSize } },
  { versionKey: false, collection: 'feed_pages' },
);
