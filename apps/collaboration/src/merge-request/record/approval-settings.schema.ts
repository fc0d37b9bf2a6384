import { type ApprovalRuleType, mostApprovalRules, mostNamedApprovers } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A rule that requires approvals. */
export interface ApprovalRule {
  id: number;
  name: string;
  type: ApprovalRuleType;
  /** Number of required approvals. */
  required: number;
  userIds: number[];
  /** Groups whose members may approve. */
  groupIds: number[];
}

/** Approval settings of a project; a project without a document has no rules. */
export interface ApprovalSettingsDocument {
  /** Id of the project. */
  _id: number;
  rules: ApprovalRule[];
  /** Merge requests may not override the rules. */
  keepsRules?: boolean;
  refusesAuthors?: boolean;
  resetsOnPush?: boolean;
}

export const approvalRuleFields = {
  _id: false,
  id: Number,
  name: String,
  type: { type: String },
  required: Number,
  userIds: { type: [Number], most: mostNamedApprovers },
  groupIds: { type: [Number], most: mostNamedApprovers },
} as const;

export const approvalSettingsSchema = new Schema<ApprovalSettingsDocument>(
  {
    _id: { type: Number, required: true },
    rules: { type: [approvalRuleFields], default: [], most: mostApprovalRules },
    keepsRules: { type: Boolean },
    refusesAuthors: { type: Boolean },
    resetsOnPush: { type: Boolean },
  },
  { collection: 'approval_settings', timestamps: false },
);
// For the removal of deleted users and groups.
approvalSettingsSchema.index({ 'rules.userIds': 1 });
approvalSettingsSchema.index({ 'rules.groupIds': 1 });
