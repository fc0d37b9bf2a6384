import { Schema } from 'mongoose';

export interface GroupExportDocument {
  _id: number;
  groupId: number;
  /** Who gets the mail. */
  userId: number;
  status: 'queued' | 'started' | 'finished' | 'failed';
  groupsDone: number;
  groupsTotal: number;
  error: string | null;
  /** Under which the archive is stored, once it is finished. */
  key: string | null;
  filename: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export const groupExportSchema = new Schema<GroupExportDocument>(
  {
    _id: { type: Number, required: true },
    groupId: { type: Number, required: true },
    userId: { type: Number, required: true },
    status: { type: String, required: true },
    groupsDone: { type: Number, default: 0 },
    groupsTotal: { type: Number, default: 0 },
    error: { type: String, default: null },
    key: { type: String, default: null },
    filename: { type: String, default: null },
    finishedAt: { type: Date, default: null },
  },
  { collection: 'group_exports', timestamps: { createdAt: true, updatedAt: false } },
);
// The latest export of a group.
groupExportSchema.index({ groupId: 1, _id: -1 });
// What a stop has left unfinished, and what has been kept long enough.
groupExportSchema.index({ status: 1, createdAt: 1 });
