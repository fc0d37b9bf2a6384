import { mostProtectionLevels } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Access levels, any of which is sufficient: 0 is nobody, 60 administrators. */
export type Levels = number[];

/** A protected branch or tag, or a pattern of names. */
export interface ProtectedRef {
  _id: number;
  projectId: number;
  kind: 'branch' | 'tag';
  /** `*` stands for any text. */
  name: string;
  /** Whether the name contains `*`; absent in documents of earlier versions, which may be patterns. */
  isPattern?: boolean;
  /** Branches: levels that may push. Tags: levels that may create them. */
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

// Used by every push, and by lists; each name is protected once.
protectedRefSchema.index({ projectId: 1, kind: 1, name: 1 }, { unique: true });
// Patterns, which may match any name: few, while there may be thousands of plain names.
protectedRefSchema.index({ projectId: 1, kind: 1, isPattern: 1 });
