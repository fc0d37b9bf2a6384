import { Schema } from 'mongoose';

export interface GroupExportDocument {
  _id: number;
  groupId: number;
  /** The recipient of the mail. */
  userId: number;
  status: 'queued' | 'started' | 'finished' | 'failed';
  groupsDone: number;
  groupsTotal: number;
  error: string | null;
  /** Where the run under way collects the files; the next run removes it when that one was killed. */
  folder: string | null;
  filename: string | null;
  /** The mail is on its way, and exports that came before are gone. */
  isTold: boolean;
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
    folder: { type: String, default: null },
    filename: { type: String, default: null },
    isTold: { type: Boolean, default: false },
    finishedAt: { type: Date, default: null },
  },
  { collection: 'group_exports', timestamps: { createdAt: true, updatedAt: false } },
);
// The latest export of a group.
groupExportSchema.index({ groupId: 1, _id: -1 });
// What a stop has left unfinished, and what has been kept long enough.
groupExportSchema.index({ status: 1, createdAt: 1 });
