import { z } from 'zod';
import {
  Access,
  del,
  errors,
  event,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  snapshotField,
  someChangeOf,
  text,
  time,
} from '../operation';

export const featureFlagErrors = errors('feature_flag', {
  notFound: { status: 404, message: '404 Not Found', means: 'No such feature flag in the project.' },
  listNotFound: { status: 404, message: '404 Not Found', means: 'No such user list in the project.' },
  listUsed: {
    status: 409,
    message: ['User list is associated with a strategy'],
    means: 'A strategy of a feature flag names the list.',
  },
});

/** Users by the names that a program has for them. See docs/api/feature-flags.md#3. */
export const FeatureFlagUserList = z.object({
  id,
  iid: id,
  project_id: id,
  name: z.string(),
  user_xids: z.string(),
  created_at: time,
  updated_at: time,
});

export const strategyNames = [
  'default',
  'gradualRolloutUserId',
  'userWithId',
  'gitlabUserList',
  'flexibleRollout',
] as const;
export type StrategyName = (typeof strategyNames)[number];

const Strategy = z.object({
  id,
  name: z.enum(strategyNames),
  parameters: z.record(z.string(), z.string()),
  scopes: z.array(z.object({ id, environment_scope: z.string() })),
  user_list: FeatureFlagUserList.pick({ id: true, iid: true, name: true, user_xids: true }).nullable(),
});

/** A switch for a feature of a program. See docs/api/feature-flags.md#1. */
export const ProjectFeatureFlag = z.object({
  name: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  version: z.string(),
  created_at: time,
  updated_at: time,
  scopes: z.array(z.never()),
  strategies: z.array(Strategy),
});

/** A feature flag was switched on or off. */
export const featureFlagChanged = event({
  name: 'ci.feature-flag.changed',
  data: z.object({
    project_id: id,
    feature_flag_id: id,
    name: z.string(),
    description: z.string().nullable(),
    active: snapshotField(z.boolean()),
    user_id: id.nullable(),
  }),
});

const developing = onProject({ feature: 'builds', level: Access.Developer });
/** Strategies of one flag, and scopes of one strategy. */
export const mostStrategies = 50;
const name = z
  .string()
  .max(63)
  .regex(
    /^[a-z]([-_a-z0-9]*[a-z0-9])?$/,
    "can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'",
  )
  .describe('Name of the feature flag')
  .meta({ examples: ['dark-mode'] });
const description = z.string().max(10_000);
const active = z.boolean().describe('Whether the flag is active; if not, it is off for all users');
const environmentScope = z.string().min(1).max(255).describe('Environments of the scope; `*` matches any text');
const parameters = z
  .record(z.string().max(64), z.union([z.string().max(10_000), z.number()]).transform(String))
  .describe('Parameters of the strategy');
const scope = z.object({
  id: id.optional().describe('Id of an existing entry'),
  environment_scope: environmentScope.optional(),
  _destroy: z.boolean().optional().describe('Whether it is taken away'),
});
const strategy = z.object({
  id: id.optional().describe('Id of an existing entry'),
  name: z.enum(strategyNames).optional().describe('Name of the strategy'),
  parameters: parameters.optional(),
  user_list_id: id.optional().describe('For `gitlabUserList`'),
  scopes: z.array(scope).max(mostStrategies).optional(),
  _destroy: z.boolean().optional().describe('Whether it is taken away'),
});
const strategies = z
  .array(strategy)
  .max(mostStrategies)
  .describe('With `id`, changes an existing entry; without it, adds one');
const flag = { ...projectRef, feature_flag_name: z.string().describe('Name of the feature flag') };

export const listFeatureFlags = operation({
  name: 'ci.feature-flags.list',
  summary: 'Feature flags of a project',
  http: get('/projects/:id/feature_flags'),
  access: developing,
  input: z.object({
    ...projectRef,
    scope: z.enum(['enabled', 'disabled']).optional().describe('Only those that are on, or off'),
  }),
  output: page(ProjectFeatureFlag),
});

export const getFeatureFlag = operation({
  name: 'ci.feature-flags.get',
  summary: 'One feature flag',
  refusals: ['feature_flag.not_found'],
  http: get('/projects/:id/feature_flags/:feature_flag_name'),
  access: developing,
  input: z.object(flag),
  output: ProjectFeatureFlag,
});

export const createFeatureFlag = operation({
  name: 'ci.feature-flags.create',
  summary: 'Make a feature flag',
  refusals: ['common.invalid_record for a name that is taken, and strategies that cannot be'],
  http: post('/projects/:id/feature_flags'),
  access: developing,
  input: z.object({
    ...projectRef,
    name,
    version: z.literal('new_version_flag').default('new_version_flag').describe('The one form of flags there is'),
    description: description.optional(),
    active: active.default(true),
    strategies: strategies.default([]),
  }),
  output: ProjectFeatureFlag,
});

export const updateFeatureFlag = operation({
  name: 'ci.feature-flags.update',
  summary: 'Change a feature flag',
  refusals: ['feature_flag.not_found', 'common.invalid_record'],
  http: put('/projects/:id/feature_flags/:feature_flag_name'),
  access: developing,
  input: z
    .object({
      ...flag,
      name: name.optional(),
      description: description.optional(),
      active: active.optional(),
      strategies: strategies.optional(),
    })
    .refine(...someChangeOf('name', 'description', 'active', 'strategies')),
  output: ProjectFeatureFlag,
});

export const deleteFeatureFlag = operation({
  name: 'ci.feature-flags.delete',
  summary: 'Delete a feature flag',
  refusals: ['feature_flag.not_found'],
  http: del('/projects/:id/feature_flags/:feature_flag_name', { success: 200 }),
  access: developing,
  input: z.object(flag),
  output: ProjectFeatureFlag,
});

const list = { ...projectRef, iid: id.describe('Number of the list in its project') };
const listName = text.max(255).describe('Name of the list');
const userXids = z.string().max(100_000).describe('Users as the program names them, joined by commas');

export const listFeatureFlagUserLists = operation({
  name: 'ci.feature-flag-user-lists.list',
  summary: 'Lists of users for feature flags',
  http: get('/projects/:id/feature_flags_user_lists'),
  access: developing,
  input: z.object({ ...projectRef, search: z.string().max(255).optional().describe('Part of the name') }),
  output: page(FeatureFlagUserList),
});

export const getFeatureFlagUserList = operation({
  name: 'ci.feature-flag-user-lists.get',
  summary: 'One list of users for feature flags',
  refusals: ['feature_flag.list_not_found'],
  http: get('/projects/:id/feature_flags_user_lists/:iid'),
  access: developing,
  input: z.object(list),
  output: FeatureFlagUserList,
});

export const createFeatureFlagUserList = operation({
  name: 'ci.feature-flag-user-lists.create',
  summary: 'Make a list of users for feature flags',
  refusals: ['common.invalid_record for a name that is taken'],
  http: post('/projects/:id/feature_flags_user_lists'),
  access: developing,
  input: z.object({ ...projectRef, name: listName, user_xids: userXids }),
  output: FeatureFlagUserList,
});

export const updateFeatureFlagUserList = operation({
  name: 'ci.feature-flag-user-lists.update',
  summary: 'Change a list of users for feature flags',
  refusals: ['feature_flag.list_not_found', 'common.invalid_record for a name that is taken'],
  http: put('/projects/:id/feature_flags_user_lists/:iid'),
  access: developing,
  input: z
    .object({ ...list, name: listName.optional(), user_xids: userXids.optional() })
    .refine(...someChangeOf('name', 'user_xids')),
  output: FeatureFlagUserList,
});

export const deleteFeatureFlagUserList = operation({
  name: 'ci.feature-flag-user-lists.delete',
  summary: 'Delete a list of users for feature flags',
  refusals: ['feature_flag.list_not_found', 'feature_flag.list_used'],
  http: del('/projects/:id/feature_flags_user_lists/:iid'),
  access: developing,
  input: z.object(list),
  output: nothing(),
});
