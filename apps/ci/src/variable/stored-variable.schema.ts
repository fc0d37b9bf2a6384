import type { CiVariable } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import type { VariableOwner } from './variable-owner';

/** A variable of a project, group or the instance for its jobs. */
export interface StoredVariable {
  _id: number;
  owner: VariableOwner;
  key: string;
  /** The value: often a credential. */
  sealed: string;
  variableType: CiVariable['variable_type'];
  isProtected: boolean;
  isMasked: boolean;
  /** No answer contains the value. */
  isHidden?: boolean;
  isRaw: boolean;
  /** Pattern of environments; `*` for all jobs. */
  environmentScope: string;
  description: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const storedVariableSchema = new Schema<StoredVariable>(
  {
    _id: Number,
    owner: String,
    key: String,
    sealed: String,
    variableType: String,
    isProtected: Boolean,
    isMasked: Boolean,
    isHidden: Boolean,
    isRaw: Boolean,
    environmentScope: String,
    description: { type: String, default: null },
  },
  { timestamps: true, versionKey: false, collection: 'variables' },
);
// One per key and scope; and all variables for a job.
storedVariableSchema.index({ owner: 1, key: 1, environmentScope: 1 }, { unique: true });
// Lists of an owner, in order of creation.
storedVariableSchema.index({ owner: 1, _id: 1 });
storedVariableSchema.plugin(sealedFields, ['sealed']);
