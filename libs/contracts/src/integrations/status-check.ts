import { z } from 'zod';
import { MergeRequest } from '../collaboration/merge-request/merge-request-view';
import {
  Access,
  commaList,
  del,
  errors,
  get,
  id,
  internal,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
} from '../operation';

/** That one check names. */
export const mostCheckedBranches = 100;

import { hookUrl, hookUrlRefusals } from './hook';

export const statusCheckErrors = errors('status_check', {
  notFound: { status: 404, message: '404 External Status Check Not Found', means: 'The project has no such check.' },
  nameTaken: {
    status: 400,
    message: { name: ['has already been taken'] },
    means: 'Another check of the project has the name.',
  },
  tooMany: {
    status: 400,
    message: { base: ['Maximum number of external status checks exceeded'] },
    means: 'The project has as many as there can be.',
  },
  shaMoved: {
    status: 409,
    message: 'SHA does not match HEAD of source branch',
    means: 'The answer is about other commits than the merge request has now.',
  },
  notFailed: {
    status: 422,
    message: 'External status check must be failed',
    means: 'Only a check that failed is asked again.',
  },
});

export const statusCheckStates = ['pending', 'passed', 'failed'] as const;
export type StatusCheckState = (typeof statusCheckStates)[number];

/** See docs/api/merge-requests.md#12. */
export const ExternalStatusCheck = z.object({
  id,
  project_id: id,
  name: z.string(),
  external_url: z.string().describe('A name and password in it are masked'),
  protected_branches: z
    .array(z.object({ id, project_id: id, name: z.string() }))
    .describe('Only merge requests to these branches are checked; empty for all'),
  hmac: z.boolean().describe('Whether payloads are signed'),
});
export type ExternalStatusCheck = z.infer<typeof ExternalStatusCheck>;

export const StatusCheck = z.object({
  id,
  name: z.string(),
  external_url: z.string(),
  status: z.enum(statusCheckStates),
});

const StatusCheckResponse = z.object({
  id,
  merge_request: MergeRequest,
  external_status_check: ExternalStatusCheck,
});

const inProject = '/projects/:id/external_status_checks';
const inMergeRequest = '/projects/:id/merge_requests/:merge_request_iid';
const tier = 'enterprise';
const maintains = onProject({
  feature: 'merge_requests',
  level: Access.Maintainer,
  ability: 'manage_merge_request_settings',
});
const answers = onProject({ feature: 'merge_requests', level: Access.Developer });
const one = { ...projectRef, check_id: id.describe('Id of the check') };
const onMergeRequest = { ...projectRef, merge_request_iid: id };
const options = {
  shared_secret: z
    .string()
    .max(255)
    .optional()
    .describe('Key of the signature in `X-Gitlab-Signature`; empty for none; write-only'),
  protected_branch_ids: commaList(id, mostCheckedBranches)
    .optional()
    .describe('Ids of protected branches: only merge requests to these are checked; empty for all'),
};
const name = z.string().trim().min(1).max(255);

export const listExternalStatusChecks = operation({
  name: 'integrations.external-status-checks.list',
  tier,
  summary: 'Services that are asked about merge requests of a project',
  http: get(inProject),
  access: maintains,
  input: z.object(projectRef),
  output: page(ExternalStatusCheck),
});

export const createExternalStatusCheck = operation({
  name: 'integrations.external-status-checks.create',
  tier,
  summary: 'Have a service asked about merge requests of a project',
  refusals: ['status_check.name_taken', 'status_check.too_many', ...hookUrlRefusals],
  http: post(inProject),
  access: maintains,
  input: z.object({ ...projectRef, name, external_url: hookUrl, ...options }),
  output: ExternalStatusCheck,
});

export const updateExternalStatusCheck = operation({
  name: 'integrations.external-status-checks.update',
  tier,
  summary: 'Change a status check of a project',
  refusals: ['status_check.not_found', 'status_check.name_taken', ...hookUrlRefusals],
  http: put(`${inProject}/:check_id`),
  access: maintains,
  input: z
    .object({ ...one, name: name.optional(), external_url: hookUrl.optional(), ...options })
    .refine(...someChangeOf('name', 'external_url', 'shared_secret', 'protected_branch_ids')),
  output: ExternalStatusCheck,
});

export const deleteExternalStatusCheck = operation({
  name: 'integrations.external-status-checks.delete',
  tier,
  summary: 'Remove a status check of a project',
  refusals: ['status_check.not_found'],
  http: del(`${inProject}/:check_id`),
  access: maintains,
  input: z.object(one),
  output: nothing(),
});

export const listStatusChecks = operation({
  name: 'integrations.status-checks.list',
  tier,
  summary: 'What external services say of a merge request as it is now',
  refusals: ['merge_request.not_found'],
  http: get(`${inMergeRequest}/status_checks`),
  access: answers,
  input: z.object(onMergeRequest),
  output: page(StatusCheck),
});

export const answerStatusCheck = operation({
  name: 'integrations.status-checks.answer',
  tier,
  summary: 'Set the result of an external status check',
  refusals: ['merge_request.not_found', 'status_check.not_found', 'status_check.sha_moved'],
  http: post(`${inMergeRequest}/status_check_responses`),
  access: answers,
  input: z.object({
    ...onMergeRequest,
    sha: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'is invalid')
      .describe('Tip of the source branch that it looked at'),
    external_status_check_id: id.describe('Id of the check'),
    status: z
      .enum([...statusCheckStates, 'pass'])
      .default('passed')
      .describe('Result of the check'),
  }),
  output: StatusCheckResponse,
});

export const retryStatusCheck = operation({
  name: 'integrations.status-checks.retry',
  tier,
  summary: 'Ask an external service again about a merge request that it failed',
  refusals: ['merge_request.not_found', 'status_check.not_found', 'status_check.not_failed'],
  http: post(`${inMergeRequest}/status_checks/:external_status_check_id/retry`, { success: 202 }),
  access: answers,
  input: z.object({ ...onMergeRequest, external_status_check_id: id.describe('Id of the check') }),
  output: z.object({ message: z.string() }),
});

/** Which merge requests of a project have passed all checks that are about them, at these tips. */
export const passedStatusChecks = operation({
  name: 'integrations.status-checks.passed',
  access: internal(),
  isRead: true,
  input: z.object({
    project_id: id,
    merge_requests: z.array(z.object({ iid: id, sha: z.string(), target_branch: z.string() })).max(100),
  }),
  output: z.array(id),
});
