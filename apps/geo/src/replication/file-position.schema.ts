import type { CopiedFile, FileKind } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Progress of the walk over the files of a kind: one document each. */
export interface FilePosition {
  _id: FileKind;
  /** Whether a walk is running. */
  isWalking: boolean;
  /** Id after which it continues; null at its start. */
  after: CopiedFile['id'] | null;
  /** Start of the last complete walk; null if there was none. */
  walkedAt: Date | null;
  /** Start of this walk. */
  beganAt: Date;
  /** The selection of this walk. */
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
