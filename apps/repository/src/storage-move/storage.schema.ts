import { Schema } from 'mongoose';

/** A storage that a process of this installation owns. */
export interface StorageRecord {
  _id: string;
  startedAt: Date;
  /** Share of free space on its disk, as its owner last reported it; only on a secondary. */
  freeShare?: number;
}

export const storageSchema = new Schema<StorageRecord>(
  { _id: String, startedAt: Date, freeShare: Number },
  { versionKey: false, collection: 'storages' },
);
