import { Schema } from 'mongoose';

/** A storage that some process of the house holds. */
export interface StorageRecord {
  _id: string;
  startedAt: Date;
  /** Of its disk, as its holder saw it last; only a secondary looks. */
  freeShare?: number;
}

export const storageSchema = new Schema<StorageRecord>(
  { _id: String, startedAt: Date, freeShare: Number },
  { versionKey: false, collection: 'storages' },
);
