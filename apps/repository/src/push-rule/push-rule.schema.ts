import { Schema } from 'mongoose';

/** Rules for commits, files and names of branches of a project; an empty or null pattern means no rule. */
export interface PushRule {
  _id: number;
  /** The rules of a group are copied to new projects below it. */
  kind: 'project' | 'group';
  parentId: number;
  createdAt: Date;
  denyDeleteTag: boolean;
  memberCheck: boolean;
  preventSecrets: boolean;
  commitMessageRegex: string | null;
  commitMessageNegativeRegex: string | null;
  branchNameRegex: string | null;
  authorEmailRegex: string | null;
  fileNameRegex: string | null;
  /** In MiB; 0 for no limit. */
  maxFileSize: number;
  commitCommitterCheck: boolean;
  commitCommitterNameCheck: boolean;
  rejectUnsignedCommits: boolean;
  rejectNonDcoCommits: boolean;
}

export type PushRuleFields = Omit<PushRule, '_id' | 'kind' | 'parentId' | 'createdAt'>;

const pattern = { type: String, default: null };

export const pushRuleSchema = new Schema<PushRule>(
  {
    _id: Number,
    kind: String,
    parentId: Number,
    createdAt: Date,
    denyDeleteTag: Boolean,
    memberCheck: Boolean,
    preventSecrets: Boolean,
    commitMessageRegex: pattern,
    commitMessageNegativeRegex: pattern,
    branchNameRegex: pattern,
    authorEmailRegex: pattern,
    fileNameRegex: pattern,
    maxFileSize: Number,
    commitCommitterCheck: Boolean,
    commitCommitterNameCheck: Boolean,
    rejectUnsignedCommits: Boolean,
    rejectNonDcoCommits: Boolean,
  },
  { versionKey: false, collection: 'push_rules' },
);

// Used by every push; a project or group has at most one set of rules.
pushRuleSchema.index({ kind: 1, parentId: 1 }, { unique: true });
