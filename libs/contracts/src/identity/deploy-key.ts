import { z } from 'zod';
import {
  Access,
  administrator,
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
  someChangeOf,
  text,
  time,
  timestamp,
} from '../operation';

export const deployKeyErrors = errors('deploy_key', {
  notFound: {
    status: 404,
    message: '404 Deploy key Not Found',
    means: 'No such key here, or none the caller may use.',
  },
});

/** See docs/api/keys.md#2. */
export const DeployKey = z.object({
  id,
  title: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  fingerprint_sha256: z.string(),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
});

const ProjectDeployKey = DeployKey.extend({ can_push: z.boolean() });
const maintained = onProject({ level: Access.Maintainer });
const key = { ...projectRef, key_id: id };
const request = {
  title: text,
  key: text.describe('Public key, as OpenSSH writes it'),
  expires_at: timestamp.nullish(),
};

export const listDeployKeys = operation({
  name: 'identity.deploy-keys.list-all',
  summary: 'Deploy keys of the instance, oldest first',
  http: get('/deploy_keys'),
  access: administrator(),
  input: z.object({ public: z.boolean().default(false) }),
  output: page(DeployKey),
});

export const createPublicDeployKey = operation({
  name: 'identity.deploy-keys.create-public',
  summary: 'Create a deploy key that every project may enable',
  refusals: ['common.invalid_record for an invalid key, or one in use'],
  http: post('/deploy_keys'),
  access: administrator(),
  input: z.object(request),
  output: DeployKey,
});

export const listProjectDeployKeys = operation({
  name: 'identity.deploy-keys.list',
  summary: 'Deploy keys of a project',
  http: get('/projects/:id/deploy_keys'),
  access: maintained,
  input: z.object(projectRef),
  output: page(ProjectDeployKey),
});

export const getProjectDeployKey = operation({
  name: 'identity.deploy-keys.get',
  summary: 'One deploy key of a project',
  refusals: ['deploy_key.not_found'],
  http: get('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z.object(key),
  output: ProjectDeployKey,
});

export const addProjectDeployKey = operation({
  name: 'identity.deploy-keys.add',
  summary: 'Add a deploy key to a project',
  description: 'A key that another project has is joined, when the caller could use it there.',
  refusals: ['common.invalid_record for an invalid key, or one in use'],
  http: post('/projects/:id/deploy_keys'),
  access: maintained,
  input: z.object({ ...projectRef, ...request, can_push: z.boolean().default(false) }),
  output: ProjectDeployKey,
});

export const updateProjectDeployKey = operation({
  name: 'identity.deploy-keys.update',
  summary: 'Change the title of a deploy key, or whether it may push',
  description: 'The caller may change the title if no other project has the key.',
  refusals: ['deploy_key.not_found'],
  http: put('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z
    .object({ ...key, title: text.optional(), can_push: z.boolean().optional() })
    .refine(...someChangeOf('title', 'can_push')),
  output: ProjectDeployKey,
});

export const removeProjectDeployKey = operation({
  name: 'identity.deploy-keys.remove',
  summary: 'Take a deploy key off a project',
  description: 'A key that is not public is deleted with its last project.',
  refusals: ['deploy_key.not_found'],
  http: del('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z.object(key),
  output: nothing(),
});

export const enableProjectDeployKey = operation({
  name: 'identity.deploy-keys.enable',
  summary: 'Enable a deploy key for another project',
  description:
    'The key is one that the caller could use elsewhere: a public one, or one of a project that the caller maintains.',
  refusals: ['deploy_key.not_found'],
  http: post('/projects/:id/deploy_keys/:key_id/enable'),
  access: maintained,
  input: z.object(key),
  output: DeployKey,
});
