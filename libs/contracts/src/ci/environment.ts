import { z } from 'zod';
import {
  Access,
  del,
  errors,
  get,
  id,
  mutuallyExclusive,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  readWebAddress,
  someChangeOf,
  timestamp,
} from '../operation';
import { Deployment } from './deployment-view';
import { EnvironmentFacts, environmentName, environmentTiers } from './environment-facts';

export const environmentErrors = errors('environment', {
  notFound: { status: 404, message: '404 Not found', means: 'No such environment in the project.' },
  isProtected: {
    status: 403,
    message: '403 Forbidden - The environment is protected',
    means: 'The environment is protected, and the caller may not deploy to it.',
  },
  notStopped: {
    status: 403,
    message: '403 Forbidden - The environment is not stopped',
    means: 'Only stopped environments are deleted.',
  },
  invalidDate: { status: 400, message: 'Invalid Date', means: 'Earlier than ten years ago, or later than a week ago.' },
});

/** An environment with its last deployment. See docs/api/deployments.md#1. */
export const Environment = EnvironmentFacts.extend({
  last_deployment: Deployment.nullable().describe('The last one that succeeded'),
});

const isWebUrl = (text: string): boolean => readWebAddress(text) !== undefined;
const autoStopSettings = ['always', 'with_action'] as const;
const reading = onProject({ feature: 'builds', level: Access.Reporter });
const developing = onProject({ feature: 'builds', level: Access.Developer });
const one = { ...projectRef, environment_id: id.describe('Of the environment') };
const externalUrl = z
  .string()
  .max(2000)
  .refine((url) => url === '' || isWebUrl(url), 'must be a valid URL')
  .describe('URL of the environment');
const facts = {
  external_url: externalUrl,
  tier: z.enum(environmentTiers).describe('As the name says, unless given'),
  description: z.string().max(10_000),
  auto_stop_setting: z.enum(autoStopSettings).describe('Whether it is stopped automatically even without a stop job'),
};

export const listEnvironments = operation({
  name: 'ci.environments.list',
  summary: 'Environments of a project',
  http: get('/projects/:id/environments'),
  access: reading,
  takesJobToken: true,
  input: z
    .object({
      ...projectRef,
      name: z.string().optional().describe('The one of that name'),
      search: z.string().min(3).max(255).optional().describe('Part of the name'),
      states: z.enum(['available', 'stopping', 'stopped']).optional().describe('Only those of that state'),
    })
    .refine(...mutuallyExclusive('name', 'search')),
  output: page(EnvironmentFacts),
});

export const getEnvironment = operation({
  name: 'ci.environments.get',
  summary: 'One environment',
  refusals: ['environment.not_found'],
  http: get('/projects/:id/environments/:environment_id'),
  access: reading,
  takesJobToken: true,
  input: z.object(one),
  output: Environment,
});

export const createEnvironment = operation({
  name: 'ci.environments.create',
  summary: 'Make an environment',
  refusals: ['common.invalid_record for a name that is taken'],
  http: post('/projects/:id/environments'),
  access: developing,
  takesJobToken: true,
  input: z.object({
    ...projectRef,
    name: environmentName,
    external_url: facts.external_url.optional(),
    tier: facts.tier.optional(),
    description: facts.description.optional(),
    auto_stop_setting: facts.auto_stop_setting.default('always'),
  }),
  output: Environment,
});

export const updateEnvironment = operation({
  name: 'ci.environments.update',
  summary: 'Change an environment',
  description: 'Its name stays.',
  refusals: ['environment.not_found'],
  http: put('/projects/:id/environments/:environment_id'),
  access: developing,
  takesJobToken: true,
  input: z
    .object({
      ...one,
      external_url: facts.external_url.optional(),
      tier: facts.tier.optional(),
      description: facts.description.optional(),
      auto_stop_setting: facts.auto_stop_setting.optional(),
    })
    .refine(...someChangeOf(...Object.keys(facts))),
  output: Environment,
});

export const deleteEnvironment = operation({
  name: 'ci.environments.delete',
  summary: 'Delete an environment with its deployments',
  refusals: ['environment.not_found', 'environment.not_stopped', 'environment.is_protected'],
  http: del('/projects/:id/environments/:environment_id'),
  access: developing,
  takesJobToken: true,
  input: z.object(one),
  output: nothing(),
});

export const stopEnvironment = operation({
  name: 'ci.environments.stop',
  summary: 'Stop an environment',
  description: 'If the environment has a stop job, that job runs, and the state is `stopping` until it succeeds.',
  refusals: ['environment.not_found', 'environment.is_protected'],
  http: post('/projects/:id/environments/:environment_id/stop', { success: 200 }),
  access: developing,
  takesJobToken: true,
  input: z.object({ ...one, force: z.boolean().default(false).describe('Stop without running the stop job') }),
  output: Environment,
});

export const stopStaleEnvironments = operation({
  name: 'ci.environments.stop-stale',
  summary: 'Stop stale environments',
  description:
    'Environments without a change or deployment since that time, except protected ones; up to a thousand per request.',
  refusals: ['environment.invalid_date'],
  http: post('/projects/:id/environments/stop_stale', { success: 200 }),
  access: onProject({ feature: 'builds', level: Access.Maintainer }),
  input: z.object({ ...projectRef, before: timestamp.describe('Since when: at least a week ago') }),
  output: z.object({ message: z.string() }),
});

const ReviewApp = z.object({ id, name: z.string(), slug: z.string(), external_url: z.string().nullable() });

export const deleteReviewApps = operation({
  name: 'ci.environments.delete-review-apps',
  summary: 'Delete stopped review apps',
  description:
    'Environments in the folder `review` that were stopped before a time. With `dry_run`, the answer only lists them.',
  http: del('/projects/:id/environments/review_apps', { success: 200 }),
  access: onProject({ feature: 'builds', level: Access.Maintainer }),
  input: z.object({
    ...projectRef,
    before: timestamp.optional().describe('Thirty days ago unless given'),
    limit: z.int().min(1).max(1000).default(100).describe('How many at most'),
    dry_run: z.boolean().default(true).describe('Whether they stay for now'),
  }),
  output: z.object({ scheduled_entries: z.array(ReviewApp), unprocessable_entries: z.array(ReviewApp) }),
});
