import type { CopiedFile, FileKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** How far the list of files of a kind was walked: one document for each. */
export interface FilePosition {
  _id: FileKind;
  /** Whether a walk is under way. */
  isWalking: boolean;
  /** Where it continues; null at its start. */
  after: CopiedFile['id'] | null;
  /** When the last began that came to its end; null where none has. */
  walkedAt: Date | null;
  /** When this one began. */
  beganAt: Date;
  /** What is copied, as of this walk. */
  selection: string;
}

export const filePositionSchema = new Schema<FilePosition>(
  {
    _id: String,
    isWalking: Boolean,
    after: { type: Schema.Types.Mixed, default: null },
    walkedAt: { type: Date, default: null },
    beganAt: Date,
    selection: String,
  },
  { versionKey: false, collection: 'file_positions' },
);
