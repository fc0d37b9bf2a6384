import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  patch,
  post,
  projectRef,
} from '../operation';
import { GroupChoice } from './group';
import { SimpleProject } from './project';

export const jobTokenScopeErrors = errors('job_token_scope', {
  taken: {
    status: 400,
    message: '400 Bad request - This is already in the job token allowlist',
    means: 'Tokens of its jobs are allowed already.',
  },
  same: {
    status: 400,
    message: "400 Bad request - Target project can't be the same as the source project",
    means: 'Tokens of its own jobs are always allowed.',
  },
  full: {
    status: 400,
    message: '400 Bad request - The job token allowlist is full (maximum is 200)',
    means: 'There are as many projects and groups in it as there may be.',
  },
});

const deciding = onProject({ feature: 'builds', level: Access.Maintainer });
const targetProject = { target_project_id: id.describe('Project whose jobs are allowed') };
const targetGroup = { target_group_id: id.describe("Group whose projects' jobs are allowed") };

export const getJobTokenScope = operation({
  name: 'projects.job-token-scopes.get',
  summary: 'Whether job tokens of other projects are checked against the allowlist',
  http: get('/projects/:id/job_token_scope'),
  access: deciding,
  input: z.object(projectRef),
  output: z.object({
    inbound_enabled: z.boolean().describe('Whether only projects of the allowlist have access'),
    outbound_enabled: z.boolean().describe('Always false'),
  }),
});

export const updateJobTokenScope = operation({
  name: 'projects.job-token-scopes.update',
  summary: 'Enable or disable the allowlist for job tokens of other projects',
  http: patch('/projects/:id/job_token_scope', { success: 204 }),
  access: deciding,
  input: z.object({
    ...projectRef,
    enabled: z.boolean().describe('Whether only projects of the allowlist have access'),
  }),
  output: nothing(),
});

export const listJobTokenProjects = operation({
  name: 'projects.job-token-scopes.list-projects',
  summary: 'Projects of the allowlist',
  description: 'The project itself first; others only if the caller may read them.',
  http: get('/projects/:id/job_token_scope/allowlist'),
  access: deciding,
  input: z.object(projectRef),
  output: page(SimpleProject),
});

export const addJobTokenProject = operation({
  name: 'projects.job-token-scopes.add-project',
  summary: 'Add a project to the allowlist',
  refusals: ['job_token_scope.taken', 'job_token_scope.same', 'job_token_scope.full'],
  http: post('/projects/:id/job_token_scope/allowlist'),
  access: deciding,
  input: z.object({ ...projectRef, ...targetProject }),
  output: z.object({ source_project_id: id, target_project_id: id }),
});

export const removeJobTokenProject = operation({
  name: 'projects.job-token-scopes.remove-project',
  summary: 'Remove a project from the allowlist',
  refusals: ['common.not_found for one that is not on the list'],
  http: del('/projects/:id/job_token_scope/allowlist/:target_project_id'),
  access: deciding,
  input: z.object({ ...projectRef, ...targetProject }),
  output: nothing(),
});

export const listJobTokenGroups = operation({
  name: 'projects.job-token-scopes.list-groups',
  summary: 'Groups of the allowlist',
  description: 'Only those that the caller may read.',
  http: get('/projects/:id/job_token_scope/groups_allowlist'),
  access: deciding,
  input: z.object(projectRef),
  output: page(GroupChoice),
});

export const addJobTokenGroup = operation({
  name: 'projects.job-token-scopes.add-group',
  summary: 'Add a group to the allowlist',
  refusals: ['job_token_scope.taken', 'job_token_scope.full'],
  http: post('/projects/:id/job_token_scope/groups_allowlist'),
  access: deciding,
  input: z.object({ ...projectRef, ...targetGroup }),
  output: z.object({ source_project_id: id, target_group_id: id }),
});

export const removeJobTokenGroup = operation({
  name: 'projects.job-token-scopes.remove-group',
  summary: 'Remove a group from the allowlist',
  refusals: ['common.not_found for one that is not on the list'],
  http: del('/projects/:id/job_token_scope/groups_allowlist/:target_group_id'),
  access: deciding,
  input: z.object({ ...projectRef, ...targetGroup }),
  output: nothing(),
});
