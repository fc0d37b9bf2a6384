import type { OutputOf, updatePackageProtectionRule } from '@moothall/contracts';
import { Schema } from 'mongoose';

type View = OutputOf<typeof updatePackageProtectionRule>;

/** Who may upload to packages of a name, and delete them. */
export interface PackageProtectionRule {
  _id: number;
  projectId: number;
  /** In which `*` stands for any text. */
  pattern: string;
  pushLevel: View['minimum_access_level_for_push'];
  deletionLevel: View['minimum_access_level_for_delete'];
}

export const packageProtectionRuleSchema = new Schema<PackageProtectionRule>(
  { _id: Number, projectId: Number, pattern: String, pushLevel: String, deletionLevel: String },
  { versionKey: false, collection: 'package_protection_rules' },
);
// The rules of a project, of which no two have one pattern.
packageProtectionRuleSchema.index({ projectId: 1, pattern: 1 }, { unique: true });
// Pages of them.
packageProtectionRuleSchema.index({ projectId: 1, _id: 1 });
