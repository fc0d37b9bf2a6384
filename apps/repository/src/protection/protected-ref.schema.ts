import { mostProtectionLevels } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Access levels of which one is needed: 0 is nobody, 60 administrators. */
export type Levels = number[];

/** A branch or tag, or a pattern of them, that not everybody may change. */
export interface ProtectedRef {
  _id: number;
  projectId: number;
  kind: 'branch' | 'tag';
  /** In which `*` stands for any text. */
  name: string;
  /** Whether there is such a `*`; absent in what earlier versions wrote, which may be one. */
  isPattern?: boolean;
  /** Branches: levels that may push. Tags: levels that may create. */
  pushLevels: Levels;
  mergeLevels: Levels;
  unprotectLevels: Levels;
  allowsForcePush: boolean;
  needsCodeOwner: boolean;
}

const levels = { type: [Number], most: mostProtectionLevels };

export const protectedRefSchema = new Schema<ProtectedRef>(
  {
    _id: Number,
    projectId: Number,
    kind: String,
    name: String,
    isPattern: Boolean,
    pushLevels: levels,
    mergeLevels: levels,
    unprotectLevels: levels,
    allowsForcePush: { type: Boolean, default: false },
    needsCodeOwner: { type: Boolean, default: false },
  },
  { versionKey: false, collection: 'protected_refs' },
);

// Every push, and the lists; no name is protected twice.
protectedRefSchema.index({ projectId: 1, kind: 1, name: 1 }, { unique: true });
// What may match any name: few, where there may be thousands of plain ones.
protectedRefSchema.index({ projectId: 1, kind: 1, isPattern: 1 });
