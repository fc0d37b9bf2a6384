import { z } from 'zod';
import {
  Access,
  administrator,
  commaList,
  del,
  errors,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  signedIn,
  text,
  time,
  tokenBearer,
} from '../operation';
import { Job, jobStatuses } from './job';

export const runnerErrors = errors('runner', {
  notFound: { status: 404, message: '404 Runner Not Found', means: 'No such runner.' },
  unknownToken: { status: 403, message: '403 Forbidden', means: 'No runner, or no registration, has that token.' },
});

/** Of one runner. */
export const mostRunnerTags = 100;

/** `instance_type` gets jobs of every project, `project_type` those of one. */
export const runnerTypes = ['instance_type', 'project_type'] as const;

const protectedOnly = z
  .enum(['not_protected', 'ref_protected'])
  .describe('`ref_protected` takes jobs of protected branches and tags only');

export const Runner = z.object({
  id,
  description: z.string(),
  ip_address: z.string().nullable(),
  active: z.boolean(),
  paused: z.boolean(),
  is_shared: z.boolean(),
  runner_type: z.enum(runnerTypes),
  name: z.string().nullable(),
  online: z.boolean(),
  status: z.enum(['online', 'offline', 'never_contacted']),
});

export const RunnerDetail = Runner.extend({
  architecture: z.string().nullable(),
  platform: z.string().nullable(),
  revision: z.string().nullable(),
  version: z.string().nullable(),
  contacted_at: time.nullable(),
  access_level: protectedOnly,
  maximum_timeout: z.int().nullable().describe('Seconds'),
  run_untagged: z.boolean(),
  locked: z.boolean(),
  tag_list: z.array(z.string()),
  projects: z.array(
    z.object({
      id,
      name: z.string(),
      name_with_namespace: z.string(),
      path: z.string(),
      path_with_namespace: z.string(),
    }),
  ),
  groups: z.array(z.unknown()),
});

/** The token is only in the answer that creates it. */
const RunnerToken = z.object({ id, token: z.string(), token_expires_at: z.null() });
const RegistrationToken = z.object({ token: z.string(), token_expires_at: z.null() });

const attributes = {
  description: z.string().max(1024).optional(),
  active: z.boolean().optional().describe('Deprecated; the opposite of `paused`'),
  paused: z.boolean().optional(),
  locked: z.boolean().optional(),
  run_untagged: z.boolean().optional(),
  tag_list: commaList(text.max(255), mostRunnerTags).optional(),
  access_level: protectedOnly.optional(),
  maximum_timeout: z.int().min(600).nullable().optional().describe('Seconds'),
};

/** What runners report about themselves. */
const info = z
  .object({
    name: z.string().optional(),
    version: z.string().optional(),
    revision: z.string().optional(),
    platform: z.string().optional(),
    architecture: z.string().optional(),
  })
  .optional();

export const registerRunner = operation({
  name: 'ci.runners.register',
  description: 'With the registration token of the instance or of a project.',
  refusals: ['runner.unknown_token'],
  http: post('/runners'),
  summary: 'Register a runner',
  access: tokenBearer(),
  input: z.object({ token: text.describe('Registration token'), info, ...attributes }),
  output: RunnerToken,
});

export const createRunner = operation({
  name: 'ci.runners.create',
  description: 'Without a registration token: administrators for the instance, maintainers for their project.',
  http: post('/user/runners'),
  summary: 'Create a runner',
  access: signedIn({ ability: 'admin_runners' }),
  input: z.object({ runner_type: z.enum(runnerTypes), project_id: id.optional(), ...attributes }),
  output: RunnerToken,
});

export const verifyRunner = operation({
  name: 'ci.runners.verify',
  refusals: ['runner.unknown_token'],
  http: post('/runners/verify', { success: 200 }),
  summary: 'Check the token of a runner',
  access: tokenBearer(),
  isRead: true,
  input: z.object({ token: text, system_id: z.string().optional() }),
  output: RunnerToken,
});

export const unregisterRunner = operation({
  name: 'ci.runners.unregister',
  refusals: ['runner.unknown_token'],
  http: del('/runners'),
  summary: 'Delete a runner by its token',
  access: tokenBearer(),
  input: z.object({ token: text }),
  output: nothing(),
});

export const resetInstanceRegistrationToken = operation({
  name: 'ci.runners.reset-instance-registration',
  description: 'The previous token becomes invalid.',
  http: post('/runners/reset_registration_token'),
  summary: 'Make a new registration token for runners of the instance',
  access: administrator(),
  input: z.object({}),
  output: RegistrationToken,
});

export const resetProjectRegistrationToken = operation({
  name: 'ci.runners.reset-project-registration',
  description: 'The previous token becomes invalid.',
  http: post('/projects/:id/runners/reset_registration_token'),
  summary: 'Make a new registration token for runners of a project',
  access: onProject({ feature: 'builds', level: Access.Maintainer, ability: 'admin_runners' }),
  input: z.object(projectRef),
  output: RegistrationToken,
});

const filters = {
  type: z.enum(runnerTypes).optional(),
  paused: z.boolean().optional(),
  tag_list: commaList(z.string()).optional().describe('Those with all of these tags'),
};

export const listAllRunners = operation({
  name: 'ci.runners.list-all',
  http: get('/runners/all'),
  summary: 'Runners of the instance and of all projects',
  access: administrator(),
  input: z.object(filters),
  output: page(Runner),
});

export const listOwnRunners = operation({
  name: 'ci.runners.list',
  description: 'Those that the caller made.',
  http: get('/runners'),
  summary: 'Runners of the caller',
  access: signedIn(),
  input: z.object(filters),
  output: page(Runner),
});

export const listProjectRunners = operation({
  name: 'ci.runners.list-of-project',
  description: "The project's own, and those of the instance.",
  http: get('/projects/:id/runners'),
  summary: 'Runners that take jobs of a project',
  access: onProject({ feature: 'builds', level: Access.Maintainer, ability: 'read_runners' }),
  input: z.object({ ...projectRef, ...filters }),
  output: page(Runner),
});

const runner = { runner_id: id };

export const getRunner = operation({
  name: 'ci.runners.get',
  description: 'For administrators, the user who created it, and maintainers of its project.',
  refusals: ['runner.not_found', 'common.forbidden'],
  http: get('/runners/:runner_id'),
  summary: 'One runner',
  access: signedIn({ ability: 'read_runners' }),
  input: z.object(runner),
  output: RunnerDetail,
});

export const updateRunner = operation({
  name: 'ci.runners.update',
  description: 'For administrators, the user who created it, and maintainers of its project.',
  refusals: ['runner.not_found', 'common.forbidden'],
  http: put('/runners/:runner_id'),
  summary: 'Change a runner',
  access: signedIn({ ability: 'admin_runners' }),
  input: z.object({ ...runner, ...attributes }),
  output: RunnerDetail,
});

export const deleteRunner = operation({
  name: 'ci.runners.delete',
  description: 'For administrators, the user who created it, and maintainers of its project.',
  refusals: ['runner.not_found', 'common.forbidden'],
  http: del('/runners/:runner_id'),
  summary: 'Delete a runner',
  access: signedIn({ ability: 'admin_runners' }),
  input: z.object(runner),
  output: nothing(),
});

export const listRunnerJobs = operation({
  name: 'ci.runners.jobs',
  description: 'Newest pipeline first. For administrators, the user who created it, and maintainers of its project.',
  refusals: ['runner.not_found', 'common.forbidden'],
  http: get('/runners/:runner_id/jobs'),
  summary: 'Jobs that a runner took',
  access: signedIn({ ability: 'read_runners' }),
  input: z.object({ ...runner, status: z.enum(jobStatuses).optional() }),
  output: page(Job),
});
