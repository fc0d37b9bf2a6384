import { type ApprovalRuleType, mostApprovalRules, mostNamedApprovers } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Whose approval is needed. */
export interface ApprovalRule {
  id: number;
  name: string;
  type: ApprovalRuleType;
  /** How many of them. */
  required: number;
  userIds: number[];
  /** Whose members approve. */
  groupIds: number[];
}

/** How the merge requests of a project are approved; a project without one has no rules. */
export interface ApprovalSettingsDocument {
  /** Of the project. */
  _id: number;
  rules: ApprovalRule[];
  /** Merge requests have no rules of their own. */
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
// What a deleted user leaves, and a deleted group.
approvalSettingsSchema.index({ 'rules.userIds': 1 });
approvalSettingsSchema.index({ 'rules.groupIds': 1 });
