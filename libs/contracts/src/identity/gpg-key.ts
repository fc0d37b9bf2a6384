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
  time,
} from '../operation';

export const gpgKeyErrors = errors('gpg_key', {
  notFound: { status: 404, message: '404 GPG Key Not Found', means: 'No such key, or not one of that user.' },
});

/** See docs/api/keys.md#4. */
export const GpgKey = z.object({ id, key: z.string(), created_at: time });
export type GpgKey = z.infer<typeof GpgKey>;

const user = { user: z.string().describe('Id or username') };
const ofUser = { user_id: id };
const keyId = { key_id: id.describe('Id of the GPG key') };
const key = { key: z.string().min(1).max(200_000).describe('Public key, as GnuPG exports it with --armor') };
const invalid = 'common.invalid_record for an invalid public key, or one in use';
const isPublic = 'No credential is needed, but one that is sent must be valid.';

export const listOwnGpgKeys = operation({
  name: 'identity.gpg-keys.list',
  summary: 'GPG keys of the caller',
  http: get('/user/gpg_keys'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: page(GpgKey),
});

export const getOwnGpgKey = operation({
  name: 'identity.gpg-keys.get',
  summary: 'One GPG key of the caller',
  refusals: ['gpg_key.not_found'],
  http: get('/user/gpg_keys/:key_id'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object(keyId),
  output: GpgKey,
});

export const addOwnGpgKey = operation({
  name: 'identity.gpg-keys.add',
  summary: 'Add a GPG key of the caller',
  refusals: [invalid],
  http: post('/user/gpg_keys'),
  access: signedIn(),
  input: z.object(key),
  output: GpgKey,
});

export const deleteOwnGpgKey = operation({
  name: 'identity.gpg-keys.delete',
  summary: 'Delete a GPG key of the caller',
  refusals: ['gpg_key.not_found'],
  http: del('/user/gpg_keys/:key_id'),
  access: signedIn(),
  input: z.object(keyId),
  output: nothing(),
});

export const listUserGpgKeys = operation({
  name: 'identity.user-gpg-keys.list',
  summary: 'GPG keys of a user',
  description: isPublic,
  refusals: ['user.not_found'],
  http: get('/users/:user/gpg_keys'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object(user),
  output: page(GpgKey),
});

export const getUserGpgKey = operation({
  name: 'identity.user-gpg-keys.get',
  summary: 'One GPG key of a user',
  description: isPublic,
  refusals: ['user.not_found', 'gpg_key.not_found'],
  http: get('/users/:user/gpg_keys/:key_id'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({ ...user, ...keyId }),
  output: GpgKey,
});

export const addUserGpgKey = operation({
  name: 'identity.user-gpg-keys.add',
  summary: 'Add a GPG key of a user',
  refusals: ['user.not_found', invalid],
  http: post('/users/:user_id/gpg_keys'),
  access: administrator(),
  input: z.object({ ...ofUser, ...key }),
  output: GpgKey,
});

export const deleteUserGpgKey = operation({
  name: 'identity.user-gpg-keys.delete',
  summary: 'Delete a GPG key of a user',
  refusals: ['user.not_found', 'gpg_key.not_found'],
  http: del('/users/:user_id/gpg_keys/:key_id'),
  access: administrator(),
  input: z.object({ ...ofUser, ...keyId }),
  output: nothing(),
});
