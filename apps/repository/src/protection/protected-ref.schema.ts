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
  /** Of branches: who pushes. Of tags: who creates. */
  pushLevels: Levels;
  mergeLevels: Levels;
  unprotectLevels: Levels;
  allowsForcePush: boolean;
  needsCodeOwner: boolean;
}

export const protectedRefSchema = new Schema<ProtectedRef>(
  {
    _id: Number,
    projectId: Number,
    kind: String,
    name: String,
    pushLevels: [Number],
    mergeLevels: [Number],
    unprotectLevels: [Number],
    allowsForcePush: { type: Boolean, default: false },
    needsCodeOwner: { type: Boolean, default: false },
  },
  { versionKey: false, collection: 'protected_refs' },
);

// Every push, and the lists; no name is protected twice.
protectedRefSchema.index({ projectId: 1, kind: 1, name: 1 }, { unique: true });
