import { Schema } from 'mongoose';

export interface GroupImportDocument {
  _id: number;
  userId: number;
  /** Administrators may match members by name alone. */
  isAdmin: boolean;
  status: 'preparing' | 'queued' | 'started' | 'finished' | 'failed';
  groupId: number | null;
  rowsDone: number;
  rowsTotal: number;
  /** The reason of a permanent failure; set before the import is reverted. */
  error: string | null;
  /** Set once all records are written: the archive may be deleted then. */
  isFilled: boolean;
  /** The group that is being written; it frees the reserved path after a crash. */
  making: { number: number; groupId: number } | null;
  createdAt: Date;
}

export const groupImportSchema = new Schema<GroupImportDocument>(
  {
    _id: { type: Number, required: true },
    userId: { type: Number, required: true },
    isAdmin: { type: Boolean, required: true },
    status: { type: String, required: true },
    groupId: { type: Number, default: null },
    rowsDone: { type: Number, default: 0 },
    rowsTotal: { type: Number, default: 0 },
    error: { type: String, default: null },
    isFilled: { type: Boolean, default: false },
    making: { type: Schema.Types.Mixed, default: null },
  },
  { collection: 'group_imports', timestamps: { createdAt: true, updatedAt: false } },
);
// Interrupted imports.
groupImportSchema.index({ status: 1, createdAt: 1 });
