import type { GeoEventKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

export interface FeedEntry {
  kind: GeoEventKind;
  projectId: number | null;
  groupId: number | null;
  at: Date;
}

/** Number of events in a page. Event numbers depend on it, so it must never change. */
export const pageSize = 100;

/**
 * A page of up to {@link pageSize} events of the feed. The number of an event follows from its page and its index
 * there. One update appends the event, numbers it and makes it visible; a page is started when the previous one is
 * full. So an event never becomes visible before one that was already read, however many replicas write.
 */
export interface FeedPage {
  /** Starting from 0. */
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
