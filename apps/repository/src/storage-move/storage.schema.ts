import { Schema } from 'mongoose';

/** A storage that some process of the house holds. */
export interface StorageRecord {
  _id: string;
  startedAt: Date;
}

export const storageSchema = new Schema<StorageRecord>(
  { _id: String, startedAt: Date },
  { versionKey: false, collection: 'storages' },
);
