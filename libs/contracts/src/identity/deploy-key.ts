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

/** Source: specification 2.10. */
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
const request = { title: text, key: text, expires_at: timestamp.nullish() };

/** Every deploy key of the instance, oldest first. */
export const listDeployKeys = operation({
  name: 'identity.deploy-keys.list-all',
  http: get('/deploy_keys'),
  access: administrator(),
  input: z.object({ public: z.boolean().default(false) }),
  output: page(DeployKey),
});

/** A key that every project may enable. */
export const createPublicDeployKey = operation({
  name: 'identity.deploy-keys.create-public',
  http: post('/deploy_keys'),
  access: administrator(),
  input: z.object(request),
  output: DeployKey,
});

export const listProjectDeployKeys = operation({
  name: 'identity.deploy-keys.list',
  http: get('/projects/:id/deploy_keys'),
  access: maintained,
  input: z.object(projectRef),
  output: page(ProjectDeployKey),
});

export const getProjectDeployKey = operation({
  name: 'identity.deploy-keys.get',
  http: get('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z.object(key),
  output: ProjectDeployKey,
});

/**
 * Adds a key to a project. One that another project has is joined when the caller could use it there.
 * @throws common.invalid_record for what is no key, or taken
 */
export const addProjectDeployKey = operation({
  name: 'identity.deploy-keys.add',
  http: post('/projects/:id/deploy_keys'),
  access: maintained,
  input: z.object({ ...projectRef, ...request, can_push: z.boolean().default(false) }),
  output: ProjectDeployKey,
});

/** The title is the caller's to change where no other project has the key. */
export const updateProjectDeployKey = operation({
  name: 'identity.deploy-keys.update',
  http: put('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z
    .object({ ...key, title: text.optional(), can_push: z.boolean().optional() })
    .refine(...someChangeOf('title', 'can_push')),
  output: ProjectDeployKey,
});

/** Takes a key off a project; with its last project it is gone, unless it is public. */
export const removeProjectDeployKey = operation({
  name: 'identity.deploy-keys.remove',
  http: del('/projects/:id/deploy_keys/:key_id'),
  access: maintained,
  input: z.object(key),
  output: nothing(),
});

/** Lets a key that the caller could use elsewhere read this project. */
export const enableProjectDeployKey = operation({
  name: 'identity.deploy-keys.enable',
  http: post('/projects/:id/deploy_keys/:key_id/enable'),
  access: maintained,
  input: z.object(key),
  output: DeployKey,
});
