import { z } from 'zod';
import { Access, errors, get, id, onProject, operation, page, projectRef, put, someChangeOf, time } from '../operation';
import { Job } from './job';

export const resourceGroupErrors = errors('resource_group', {
  notFound: {
    status: 404,
    message: '404 Resource Group Not Found',
    means: 'No job of the project has named a resource group of that key.',
  },
});

/** Which of the jobs that wait gets the resource. See docs/api/deployments.md#2. */
export const processModes = ['unordered', 'oldest_first', 'newest_first', 'newest_ready_first'] as const;
export type ProcessMode = (typeof processModes)[number];

/** Jobs of a project of which one runs at a time. See docs/api/deployments.md#2. */
export const ResourceGroup = z.object({
  id,
  key: z.string(),
  process_mode: z.enum(processModes),
  created_at: time,
  updated_at: time,
});

const developing = onProject({ feature: 'builds', level: Access.Developer });
const one = { ...projectRef, key: z.string().describe('Key of the resource group, as jobs name it') };

export const listResourceGroups = operation({
  name: 'ci.resource-groups.list',
  summary: 'Resource groups of a project',
  http: get('/projects/:id/resource_groups'),
  access: developing,
  input: z.object(projectRef),
  output: page(ResourceGroup),
});

export const getResourceGroup = operation({
  name: 'ci.resource-groups.get',
  summary: 'One resource group',
  refusals: ['resource_group.not_found'],
  http: get('/projects/:id/resource_groups/:key'),
  access: developing,
  input: z.object(one),
  output: ResourceGroup,
});

export const updateResourceGroup = operation({
  name: 'ci.resource-groups.update',
  summary: 'Say which of the jobs that wait for a resource runs next',
  refusals: ['resource_group.not_found'],
  http: put('/projects/:id/resource_groups/:key'),
  access: developing,
  input: z
    .object({
      ...one,
      process_mode: z
        .enum(processModes)
        .optional()
        .describe(
          '`oldest_first` and `newest_first` wait for the jobs of the oldest or newest pipeline, `newest_ready_first` takes the newest that waits',
        ),
    })
    .refine(...someChangeOf('process_mode')),
  output: ResourceGroup,
});

export const listUpcomingJobs = operation({
  name: 'ci.resource-groups.upcoming-jobs',
  summary: 'Jobs that wait for a resource, in the order in which they get it',
  refusals: ['resource_group.not_found'],
  http: get('/projects/:id/resource_groups/:key/upcoming_jobs'),
  access: developing,
  input: z.object(one),
  output: page(Job),
});
