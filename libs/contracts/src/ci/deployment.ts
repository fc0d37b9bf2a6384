import { z } from 'zod';
import { MergeRequest } from '../collaboration/merge-request/merge-request-view';
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
  sorting,
  text,
  timestamp,
} from '../operation';
import { Deployment, deploymentStatuses } from './deployment-view';
import { environmentName } from './environment-facts';

export const deploymentErrors = errors('deployment', {
  notFound: { status: 404, message: '404 Not found', means: 'No such deployment in the project.' },
  running: { status: 400, message: 'Cannot destroy running deployment', means: 'It has not ended.' },
  current: {
    status: 400,
    message: 'Deployment currently deployed to environment',
    means: 'It is the last one that succeeded.',
  },
});

const reading = onProject({ feature: 'builds', level: Access.Reporter });
const developing = onProject({ feature: 'builds', level: Access.Developer });
const one = { ...projectRef, deployment_id: id.describe('Of the deployment') };
const reported = ['created', 'running', 'success', 'failed', 'canceled'] as const;

export const listDeployments = operation({
  name: 'ci.deployments.list',
  summary: 'Deployments of a project',
  http: get('/projects/:id/deployments'),
  access: reading,
  takesJobToken: true,
  input: z.object({
    ...projectRef,
    ...sorting(['id', 'iid', 'created_at', 'updated_at', 'finished_at', 'ref'], 'asc'),
    updated_after: timestamp.optional(),
    updated_before: timestamp.optional(),
    finished_after: timestamp.optional().describe('Those that ended then or later'),
    finished_before: timestamp.optional().describe('Those that ended then or before'),
    environment: z.string().max(255).optional().describe('Name of the environment'),
    status: z.enum([...deploymentStatuses, 'blocked']).optional(),
  }),
  output: page(Deployment),
});

export const getDeployment = operation({
  name: 'ci.deployments.get',
  summary: 'One deployment',
  refusals: ['deployment.not_found'],
  http: get('/projects/:id/deployments/:deployment_id'),
  access: reading,
  takesJobToken: true,
  input: z.object(one),
  output: Deployment,
});

export const createDeployment = operation({
  name: 'ci.deployments.create',
  summary: 'Create a deployment',
  description: 'For external programs: jobs create their deployments themselves. A missing environment is created.',
  refusals: ['environment.is_protected', 'common.invalid_record for a commit or ref that is not there'],
  http: post('/projects/:id/deployments'),
  access: developing,
  takesJobToken: true,
  input: z.object({
    ...projectRef,
    environment: environmentName.describe('Name of the environment'),
    sha: text.max(255).describe('The commit that is deployed'),
    ref: text.max(1024).describe('Branch or tag of the commit'),
    tag: z.boolean().describe('Whether `ref` is a tag'),
    status: z.enum(reported),
  }),
  output: Deployment,
});

export const updateDeployment = operation({
  name: 'ci.deployments.update',
  summary: 'Update the status of a deployment',
  refusals: ['deployment.not_found', 'environment.is_protected'],
  http: put('/projects/:id/deployments/:deployment_id'),
  access: developing,
  takesJobToken: true,
  input: z.object({ ...one, status: z.enum(reported).optional() }).refine(...someChangeOf('status')),
  output: Deployment,
});

export const deleteDeployment = operation({
  name: 'ci.deployments.delete',
  summary: 'Delete a deployment that has ended',
  refusals: ['deployment.not_found', 'deployment.running', 'deployment.current'],
  http: del('/projects/:id/deployments/:deployment_id'),
  access: onProject({ feature: 'builds', level: Access.Maintainer }),
  input: z.object(one),
  output: nothing(),
});

export const listDeployedMergeRequests = operation({
  name: 'ci.deployments.list-merge-requests',
  summary: 'Merge requests of a deployment',
  description: 'Those merged by the commits that the deployment before had not; of the last thousand commits.',
  refusals: ['deployment.not_found'],
  http: get('/projects/:id/deployments/:deployment_id/merge_requests'),
  access: reading,
  takesJobToken: true,
  input: z.object(one),
  output: page(MergeRequest),
});

/** A deployment was created, or its state changed. */
export const deploymentChanged = event({
  name: 'ci.deployment.changed',
  data: z.object({
    project_id: id,
    deployment_id: id,
    iid: id,
    status: snapshotField(z.enum(deploymentStatuses)),
    environment: z.string(),
    environment_id: id,
    environment_tier: z.string(),
    environment_slug: z.string(),
    environment_external_url: z.string().nullable(),
    ref: z.string(),
    tag: z.boolean(),
    sha: z.string(),
    user_id: id.nullable(),
    job_id: id.nullable(),
    pipeline_id: id.nullable(),
    changed_at: z.string(),
  }),
});
