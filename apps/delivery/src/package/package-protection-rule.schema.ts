import type { OutputOf, updatePackageProtectionRule } from '@moothall/contracts';
import { Schema } from 'mongoose';

type View = OutputOf<typeof updatePackageProtectionRule>;

/** Restricts who may upload and delete packages of a name. */
export interface PackageProtectionRule {
  _id: number;
  projectId: number;
  /** `*` stands for any text. */
  pattern: string;
  pushLevel: View['minimum_access_level_for_push'];
  deletionLevel: View['minimum_access_level_for_delete'];
}

export const packageProtectionRuleSchema = new Schema<PackageProtectionRule>(
  { _id: Number, projectId: Number, pattern: String, pushLevel: String, deletionLevel: String },
  { versionKey: false, collection: 'package_protection_rules' },
);
// Rules of a project; patterns are unique.
packageProtectionRuleSchema.index({ projectId: 1, pattern: 1 }, { unique: true });
// Pages of rules.
packageProtectionRuleSchema.index({ projectId: 1, _id: 1 });
