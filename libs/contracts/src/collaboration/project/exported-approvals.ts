import { z } from 'zod';
import { id } from '../../operation';
import { approvalRuleTypes, mostApprovalRules, mostNamedApprovers } from '../merge-request/approval-rule';
import { prose, titleLimit, writtenProse } from '../prose/prose';

const rule = z.object({
  name: writtenProse(titleLimit),
  rule_type: z.enum(approvalRuleTypes),
  approvals_required: z.int().min(0).max(100),
  user_ids: z.array(id).max(mostNamedApprovers),
  /** Groups of the project; others are omitted. */
  group_paths: z.array(z.string().min(1).max(10_000)).max(mostNamedApprovers),
  /** Of rules of merge requests: name of the one of the project that it was at first. */
  comes_from: prose(titleLimit).nullable(),
});
export type ExportedApprovalRule = z.infer<typeof rule>;

/** Rules of a project, or of one merge request. */
export const exportedApprovalRules = z
  .array(rule)
  .max(mostApprovalRules)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'has a name twice')
  .refine((all) => all.filter(({ rule_type }) => rule_type === 'any_approver').length <= 1, 'has two for everybody');

/** How the merge requests of a project are approved. */
export const ExportedApprovalSettings = z.object({
  keeps_rules: z.boolean(),
  refuses_authors: z.boolean(),
  resets_on_push: z.boolean(),
  rules: exportedApprovalRules,
});
