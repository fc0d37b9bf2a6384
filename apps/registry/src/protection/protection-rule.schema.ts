import type { RuleLevel } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Restricts who may push and delete images, or tags, of a name. */
export interface ProtectionRule {
  _id: number;
  projectId: number;
  protects: 'images' | 'tags';
  /** For images a name in which `*` stands for any text, for tags a pattern of RE2. */
  pattern: string;
  pushLevel: RuleLevel | null;
  deletionLevel: RuleLevel | null;
}

export const protectionRuleSchema = new Schema<ProtectionRule>(
  { _id: Number, projectId: Number, protects: String, pattern: String, pushLevel: String, deletionLevel: String },
  { versionKey: false, collection: 'protection_rules' },
);
// Rules of a project; patterns are unique.
protectionRuleSchema.index({ projectId: 1, protects: 1, pattern: 1 }, { unique: true });
// Pages of rules.
protectionRuleSchema.index({ projectId: 1, protects: 1, _id: 1 });
