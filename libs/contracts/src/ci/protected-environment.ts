import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
} from '../operation';
import { environmentTiers } from './environment-facts';

export const protectedEnvironmentErrors = errors('protected_environment', {
  notFound: { status: 404, message: '404 Not found', means: 'That environment is not protected.' },
  taken: {
    status: 409,
    message: "Protected environment '%s' already exists",
    means: 'The environment is protected already.',
  },
});

/** 60 is administrators. */
const grantLevels = [30, 40, 60] as const;

const Grant = z.object({
  id,
  access_level: z.int().nullable(),
  access_level_description: z.string(),
  user_id: id.nullable(),
  group_id: id.nullable(),
  group_inheritance_type: z.int(),
});

/** The users who may deploy to an environment. See docs/api/deployments.md#5. */
export const ProtectedEnvironment = z.object({
  name: z.string(),
  deploy_access_levels: z.array(Grant),
  required_approval_count: z.int().describe('Approvals are not asked for here: always 0'),
  approval_rules: z.array(z.never()),
});

const maintaining = onProject({
  feature: 'builds',
  level: Access.Maintainer,
  ability: 'admin_protected_environments',
});
const name = z.string().min(1).max(255).describe('Name of the environment, which need not be there yet');
const inheritance = z.literal([1]).describe('Members of groups above count, too: 1 is all there is');
const grant = z
  .object({
    access_level: z.literal([...grantLevels]).optional(),
    user_id: id.optional(),
    group_id: id.optional(),
    group_inheritance_type: inheritance.default(1),
  })
  .refine(
    ({ access_level, user_id, group_id }) =>
      [access_level, user_id, group_id].filter((given) => given !== undefined).length === 1,
    'needs exactly one of access_level, user_id and group_id',
  );
const tier = z.enum(environmentTiers).describe('Tier of the environments');
const noApprovals = z.int().min(0).max(0).describe('Approvals are not asked for here: 0 is all there is');
/** Limit of grants of one environment. */
export const mostDeployGrants = 100;

const protection = {
  deploy_access_levels: z
    .array(grant)
    .min(1)
    .max(mostDeployGrants)
    .describe('Who deploys: levels, users, groups')
    .meta({ examples: [[{ access_level: Access.Maintainer }]] }),
  required_approval_count: noApprovals.default(0),
};

export const listProtectedEnvironments = operation({
  name: 'ci.protected-environments.list',
  summary: 'Protected environments of a project',
  http: get('/projects/:id/protected_environments'),
  access: maintaining,
  input: z.object(projectRef),
  output: page(ProtectedEnvironment),
});

export const getProtectedEnvironment = operation({
  name: 'ci.protected-environments.get',
  summary: 'Who deploys to an environment',
  refusals: ['protected_environment.not_found'],
  http: get('/projects/:id/protected_environments/:name'),
  access: maintaining,
  input: z.object({ ...projectRef, name }),
  output: ProtectedEnvironment,
});

export const protectEnvironment = operation({
  name: 'ci.protected-environments.create',
  summary: 'Protect an environment',
  refusals: [
    'protected_environment.taken',
    'common.invalid_record for users and groups that have no part in the project',
  ],
  http: post('/projects/:id/protected_environments'),
  access: maintaining,
  input: z.object({
    ...projectRef,
    name,
    ...protection,
  }),
  output: ProtectedEnvironment,
});

const changedGrant = z.object({
  id: id.optional().describe('Id of an existing entry'),
  access_level: z.literal([...grantLevels]).optional(),
  user_id: id.optional(),
  group_id: id.optional(),
  group_inheritance_type: inheritance.optional(),
  _destroy: z.boolean().optional().describe('Whether it is taken away'),
});

const change = {
  deploy_access_levels: z
    .array(changedGrant)
    .max(mostDeployGrants)
    .optional()
    .describe('With `id`, changes an existing entry; without it, adds one'),
  required_approval_count: noApprovals.optional(),
};
const someChange = someChangeOf('deploy_access_levels', 'required_approval_count');

export const updateProtectedEnvironment = operation({
  name: 'ci.protected-environments.update',
  summary: 'Change who deploys to an environment',
  refusals: ['protected_environment.not_found', 'common.invalid_record'],
  http: put('/projects/:id/protected_environments/:name'),
  access: maintaining,
  input: z
    .object({
      ...projectRef,
      name,
      ...change,
    })
    .refine(...someChange),
  output: ProtectedEnvironment,
});

export const unprotectEnvironment = operation({
  name: 'ci.protected-environments.delete',
  summary: "Take an environment's protection back",
  refusals: ['protected_environment.not_found'],
  http: del('/projects/:id/protected_environments/:name'),
  access: maintaining,
  input: z.object({ ...projectRef, name }),
  output: nothing(),
});

const groupPath = '/groups/:id/protected_environments';
const inGroup = onGroup({ level: Access.Maintainer, ability: 'admin_protected_environments' });
const ofTier = { ...groupRef, name: tier };

export const listGroupProtectedEnvironments = operation({
  name: 'ci.group-protected-environments.list',
  summary: 'Tiers that a group protects in the projects below it',
  http: get(groupPath),
  access: inGroup,
  input: z.object(groupRef),
  output: page(ProtectedEnvironment),
});

export const getGroupProtectedEnvironment = operation({
  name: 'ci.group-protected-environments.get',
  summary: 'Who deploys to environments of a tier',
  refusals: ['protected_environment.not_found'],
  http: get(`${groupPath}/:name`),
  access: inGroup,
  input: z.object(ofTier),
  output: ProtectedEnvironment,
});

export const protectGroupEnvironment = operation({
  name: 'ci.group-protected-environments.create',
  summary: 'Protect the environments of a tier in all projects below a group',
  refusals: [
    'protected_environment.taken',
    'common.invalid_record for users and groups that have no part in the group',
  ],
  http: post(groupPath),
  access: inGroup,
  input: z.object({ ...ofTier, ...protection }),
  output: ProtectedEnvironment,
});

export const updateGroupProtectedEnvironment = operation({
  name: 'ci.group-protected-environments.update',
  summary: 'Change who deploys to environments of a tier',
  refusals: ['protected_environment.not_found', 'common.invalid_record'],
  http: put(`${groupPath}/:name`),
  access: inGroup,
  input: z.object({ ...ofTier, ...change }).refine(...someChange),
  output: ProtectedEnvironment,
});

export const unprotectGroupEnvironment = operation({
  name: 'ci.group-protected-environments.delete',
  summary: "Take a tier's protection back",
  refusals: ['protected_environment.not_found'],
  http: del(`${groupPath}/:name`),
  access: inGroup,
  input: z.object(ofTier),
  output: nothing(),
});
