import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import {
  Access,
  atLeastOneOf,
  commaList,
  del,
  errors,
  get,
  id,
  nothing,
  onProject,
  operation,
  post,
  projectRef,
  put,
  someChangeOf,
} from '../../operation';
import { visibility } from '../../projects/settings';
import { titleLimit, writtenProse } from '../prose/prose';
import { readsMergeRequests, takesPartInMergeRequests } from './merge-request';

export const approvalRuleErrors = errors('approval_rule', {
  notFound: { status: 404, message: '404 Approval Rule Not Found', means: 'No such rule there.' },
  overridingDisabled: {
    status: 403,
    message: '403 Forbidden - the project keeps its approval rules for all of its merge requests',
    means: 'The project has `disable_overriding_approvers_per_merge_request`.',
  },
});

/** any_approver: any user who may approve; regular: named users. */
export const approvalRuleTypes = ['regular', 'any_approver'] as const;
export type ApprovalRuleType = (typeof approvalRuleTypes)[number];

/** Limit of rules of a project or merge request. */
export const mostApprovalRules = 100;
/** Limit of users, or groups, of one rule. */
export const mostNamedApprovers = 100;

/** See docs/api/merge-requests.md#9. */
export const ApprovalRule = z.object({
  id,
  name: z.string(),
  rule_type: z.enum(approvalRuleTypes),
  report_type: z.null(),
  eligible_approvers: z.array(UserSummary).describe('Those that it names, and members of the groups that it names'),
  approvals_required: z.int(),
  users: z.array(UserSummary),
  groups: z.array(
    z.object({
      id,
      name: z.string(),
      path: z.string(),
      full_name: z.string(),
      full_path: z.string(),
      parent_id: id.nullable(),
      visibility,
      web_url: z.string(),
    }),
  ),
  contains_hidden_groups: z.boolean().describe('It names groups that the caller may not see'),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

export const ProjectApprovalRule = ApprovalRule.extend({
  protected_branches: z.array(z.never()).describe('Rules count for every branch'),
  applies_to_all_protected_branches: z.boolean(),
});

export const MergeRequestApprovalRule = ApprovalRule.extend({
  overridden: z.boolean().describe('The rule differs from the rule of the project'),
});
export type MergeRequestApprovalRule = z.infer<typeof MergeRequestApprovalRule>;

const rule = {
  name: writtenProse(titleLimit),
  approvals_required: z.int().min(0).max(100).describe('How many of them have to approve'),
  user_ids: commaList(id, mostNamedApprovers).describe(
    'Users who approve; users who are no members of the project are ignored',
  ),
  usernames: commaList(z.string(), mostNamedApprovers).describe('The same by their usernames'),
  group_ids: commaList(id, mostNamedApprovers).describe(
    'Groups whose members approve; the caller must be able to see them',
  ),
};
const creation = {
  name: rule.name,
  approvals_required: rule.approvals_required,
  rule_type: z
    .enum(approvalRuleTypes)
    .optional()
    .describe('Unless given, `any_approver` where neither users nor groups are named'),
  user_ids: rule.user_ids.optional(),
  usernames: rule.usernames.optional(),
  group_ids: rule.group_ids.optional(),
};
const change = {
  name: rule.name.optional(),
  approvals_required: rule.approvals_required.optional(),
  user_ids: rule.user_ids.optional(),
  usernames: rule.usernames.optional(),
  group_ids: rule.group_ids.optional(),
};
const named = { approval_rule_id: id };

const inProject = '/projects/:id/approval_rules';
const inMergeRequest = '/projects/:id/merge_requests/:merge_request_iid/approval_rules';
const onMergeRequest = { ...projectRef, merge_request_iid: id };
const develops = onProject({ feature: 'merge_requests', level: Access.Developer });
const maintains = onProject({
  feature: 'merge_requests',
  level: Access.Maintainer,
  ability: 'manage_merge_request_settings',
});
const tier = 'enterprise';
const writing = ['common.invalid_record', 'project.archived'];
const writingToOne = ['merge_request.not_found', 'approval_rule.overriding_disabled', ...writing];

export const listApprovalRules = operation({
  name: 'collaboration.approval-rules.list',
  tier,
  http: get(inProject),
  access: takesPartInMergeRequests,
  summary: 'Approval rules of a project',
  input: z.object(projectRef),
  output: z.array(ProjectApprovalRule),
});

export const getApprovalRule = operation({
  name: 'collaboration.approval-rules.get',
  tier,
  refusals: ['approval_rule.not_found'],
  http: get(`${inProject}/:approval_rule_id`),
  access: takesPartInMergeRequests,
  summary: 'One rule of approval',
  input: z.object({ ...projectRef, ...named }),
  output: ProjectApprovalRule,
});

export const createApprovalRule = operation({
  name: 'collaboration.approval-rules.create',
  tier,
  refusals: writing,
  http: post(inProject),
  access: maintains,
  summary: 'Make a rule of approval for all merge requests of a project',
  input: z.object({ ...projectRef, ...creation }),
  output: ProjectApprovalRule,
});

export const updateApprovalRule = operation({
  name: 'collaboration.approval-rules.update',
  tier,
  refusals: ['approval_rule.not_found', ...writing],
  http: put(`${inProject}/:approval_rule_id`),
  access: maintains,
  summary: 'Change a rule of approval',
  input: z.object({ ...projectRef, ...named, ...change }).refine(...someChangeOf(...Object.keys(change))),
  output: ProjectApprovalRule,
});

export const deleteApprovalRule = operation({
  name: 'collaboration.approval-rules.delete',
  tier,
  refusals: ['approval_rule.not_found', 'project.archived'],
  http: del(`${inProject}/:approval_rule_id`),
  access: maintains,
  summary: 'Remove a rule of approval',
  input: z.object({ ...projectRef, ...named }),
  output: nothing(),
});

export const listMergeRequestApprovalRules = operation({
  name: 'collaboration.merge-request-approval-rules.list',
  tier,
  refusals: ['merge_request.not_found'],
  http: get(inMergeRequest),
  access: readsMergeRequests,
  summary: 'Approval rules of a merge request',
  input: z.object(onMergeRequest),
  output: z.array(MergeRequestApprovalRule),
});

export const getMergeRequestApprovalRule = operation({
  name: 'collaboration.merge-request-approval-rules.get',
  tier,
  refusals: ['merge_request.not_found', 'approval_rule.not_found'],
  http: get(`${inMergeRequest}/:approval_rule_id`),
  access: readsMergeRequests,
  summary: 'One rule of approval of a merge request',
  input: z.object({ ...onMergeRequest, ...named }),
  output: MergeRequestApprovalRule,
});

export const createMergeRequestApprovalRule = operation({
  name: 'collaboration.merge-request-approval-rules.create',
  tier,
  description: 'From then on it has rules of its own: those of the project as they are now, and this one.',
  refusals: [...writingToOne],
  http: post(inMergeRequest),
  access: develops,
  summary: 'Make a rule of approval for one merge request',
  input: z.object({ ...onMergeRequest, ...creation }),
  output: MergeRequestApprovalRule,
});

export const updateMergeRequestApprovalRule = operation({
  name: 'collaboration.merge-request-approval-rules.update',
  tier,
  description: 'Those of the project stay as they are; from then on the merge request has its own.',
  refusals: ['approval_rule.not_found', ...writingToOne],
  http: put(`${inMergeRequest}/:approval_rule_id`),
  access: develops,
  summary: 'Change a rule of approval for one merge request',
  input: z.object({ ...onMergeRequest, ...named, ...change }).refine(...someChangeOf(...Object.keys(change))),
  output: MergeRequestApprovalRule,
});

export const deleteMergeRequestApprovalRule = operation({
  name: 'collaboration.merge-request-approval-rules.delete',
  tier,
  description: 'Those of the project stay as they are; from then on the merge request has its own.',
  refusals: [
    'approval_rule.not_found',
    'merge_request.not_found',
    'approval_rule.overriding_disabled',
    'project.archived',
  ],
  http: del(`${inMergeRequest}/:approval_rule_id`),
  access: develops,
  summary: 'Remove a rule of approval from one merge request',
  input: z.object({ ...onMergeRequest, ...named }),
  output: nothing(),
});

/** Approval settings of a project. See docs/api/merge-requests.md#10. */
export const ApprovalSettings = z.object({
  approvals_before_merge: z.int().describe('Approvals that the `any_approver` rule requires; 0 without one'),
  reset_approvals_on_push: z.boolean(),
  selective_code_owner_removals: z.boolean(),
  disable_overriding_approvers_per_merge_request: z.boolean(),
  merge_requests_author_approval: z.boolean(),
  merge_requests_disable_committers_approval: z.boolean(),
  require_password_to_approve: z.boolean(),
  require_reauthentication_to_approve: z.boolean(),
});
export type ApprovalSettings = z.infer<typeof ApprovalSettings>;

/** Accepted only as off, because it has no effect here. */
const onlyOff = z
  .boolean()
  .refine((isOn) => !isOn, 'is not supported')
  .optional()
  .describe('Only `false`: there is nothing of the kind here');

const configuration = {
  approvals_before_merge: z.int().min(0).max(100).optional().describe('Number of required approvals, from any users'),
  reset_approvals_on_push: z.boolean().optional().describe('Whether a push to the source branch takes approvals back'),
  disable_overriding_approvers_per_merge_request: z
    .boolean()
    .optional()
    .describe('Whether merge requests may have no rules of their own'),
  merge_requests_author_approval: z.boolean().optional().describe('Whether authors may approve their own'),
  selective_code_owner_removals: onlyOff,
  merge_requests_disable_committers_approval: onlyOff,
  require_password_to_approve: onlyOff,
  require_reauthentication_to_approve: onlyOff,
};

export const getApprovalSettings = operation({
  name: 'collaboration.approval-settings.get',
  tier,
  http: get('/projects/:id/approvals'),
  access: takesPartInMergeRequests,
  summary: 'How merge requests of a project are approved',
  input: z.object(projectRef),
  output: ApprovalSettings,
});

export const updateApprovalSettings = operation({
  name: 'collaboration.approval-settings.update',
  tier,
  refusals: ['common.invalid_parameters for what there is not', 'project.archived'],
  http: post('/projects/:id/approvals'),
  access: maintains,
  summary: 'Change how merge requests of a project are approved',
  input: z.object({ ...projectRef, ...configuration }).refine(...atLeastOneOf(...Object.keys(configuration))),
  output: ApprovalSettings,
});
