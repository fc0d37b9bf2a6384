import { Schema } from 'mongoose';

export interface GroupImportDocument {
  _id: number;
  userId: number;
  /** Administrators find members by name alone. */
  isAdmin: boolean;
  status: 'preparing' | 'queued' | 'started' | 'finished' | 'failed';
  groupId: number | null;
  rowsDone: number;
  rowsTotal: number;
  /** Why it cannot succeed; set before it is undone. */
  error: string | null;
  /** Nothing is left to do but to end it: its archive may be gone. */
  isFilled: boolean;
  /** The group that is being written; a run that is killed in the middle of it leaves its path claimed. */
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
// What a stop has left unfinished.
groupImportSchema.index({ status: 1, createdAt: 1 });
