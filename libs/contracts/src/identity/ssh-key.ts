import { z } from 'zod';
import {
  administrator,
  anyone,
  del,
  errors,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  signedIn,
  text,
  time,
  timestamp,
} from '../operation';
import { AdminUser } from './user-view';

export const keyErrors = errors('key', {
  notFound: { status: 404, message: '404 Key Not Found', means: 'No such key, or not one of that user.' },
  badFingerprint: {
    status: 400,
    message: 'Failed to return the key',
    means: 'The text is neither an MD5 nor a SHA256 fingerprint.',
  },
});

const usageType = z.enum(['auth', 'signing', 'auth_and_signing']);

/** See docs/api/keys.md#1. */
export const SshKey = z.object({
  id,
  title: z.string(),
  key: z.string(),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  usage_type: usageType,
});

const DeployKeysProject = z.object({
  id,
  deploy_key_id: id,
  project_id: id,
  created_at: time,
  updated_at: time,
  can_push: z.boolean(),
});

const SshKeyWithUser = SshKey.extend({
  user: AdminUser.nullable(),
  deploy_keys_projects: z.array(DeployKeysProject).optional().describe('For deploy keys only'),
});

const request = {
  title: text,
  key: text.describe('Public key, as OpenSSH writes it'),
  expires_at: timestamp.nullish(),
  usage_type: usageType.default('auth_and_signing').describe('Use of the key: git over SSH, signatures of commits'),
};

export const listOwnKeys = operation({
  name: 'identity.ssh-keys.list',
  summary: 'SSH keys of the caller',
  http: get('/user/keys'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: page(SshKey),
});

export const getOwnKey = operation({
  name: 'identity.ssh-keys.get',
  summary: 'One SSH key of the caller',
  refusals: ['key.not_found'],
  http: get('/user/keys/:key_id'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({ key_id: id }),
  output: SshKey,
});

export const addOwnKey = operation({
  name: 'identity.ssh-keys.add',
  summary: 'Add an SSH key of the caller',
  refusals: ['common.invalid_record for an invalid or short key, or one in use'],
  http: post('/user/keys'),
  access: signedIn(),
  input: z.object(request),
  output: SshKey,
});

export const deleteOwnKey = operation({
  name: 'identity.ssh-keys.delete',
  summary: 'Delete an SSH key of the caller',
  refusals: ['key.not_found'],
  http: del('/user/keys/:key_id'),
  access: signedIn(),
  input: z.object({ key_id: id }),
  output: nothing(),
});

export const listUserKeys = operation({
  name: 'identity.user-ssh-keys.list',
  summary: 'SSH keys of a user',
  description: 'No credential is needed, but one that is sent must be valid.',
  refusals: ['user.not_found'],
  http: get('/users/:user/keys'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({ user: z.string().describe('Id or username') }),
  output: page(SshKey),
});

export const getUserKey = operation({
  name: 'identity.user-ssh-keys.get',
  summary: 'One SSH key of a user',
  description: 'No credential is needed, but one that is sent must be valid.',
  refusals: ['user.not_found', 'key.not_found'],
  http: get('/users/:user/keys/:key_id'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({ user: z.string().describe('Id or username'), key_id: id }),
  output: SshKey,
});

export const addUserKey = operation({
  name: 'identity.user-ssh-keys.add',
  summary: 'Add an SSH key of a user',
  refusals: ['user.not_found', 'common.invalid_record for an invalid or short key, or one in use'],
  http: post('/users/:user_id/keys'),
  access: administrator(),
  input: z.object({ user_id: id, ...request }),
  output: SshKey,
});

export const deleteUserKey = operation({
  name: 'identity.user-ssh-keys.delete',
  summary: 'Delete an SSH key of a user',
  refusals: ['user.not_found', 'key.not_found'],
  http: del('/users/:user_id/keys/:key_id'),
  access: administrator(),
  input: z.object({ user_id: id, key_id: id }),
  output: nothing(),
});

/** See docs/api/keys.md#3. */
export const getKey = operation({
  name: 'identity.keys.get',
  summary: 'One SSH or deploy key of the instance, with its user',
  refusals: ['key.not_found'],
  http: get('/keys/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: SshKeyWithUser,
});

export const findKey = operation({
  name: 'identity.keys.find',
  summary: 'The SSH or deploy key of a fingerprint, with its user',
  refusals: ['key.not_found', 'key.bad_fingerprint'],
  http: get('/keys'),
  access: administrator(),
  input: z.object({ fingerprint: text.describe('MD5 as hex pairs, or SHA256:… in base64') }),
  output: SshKeyWithUser,
});
