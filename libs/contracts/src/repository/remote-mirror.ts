import { z } from 'zod';
import {
  Access,
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
  time,
} from '../operation';

export const mirrorErrors = errors('mirror', {
  urlBlocked: {
    status: 400,
    message: { url: ['is blocked: Only allowed schemes are http, https, ssh, git'] },
    means: 'The URL is invalid, or its address is not permitted.',
  },
  hostKeyInvalid: {
    status: 400,
    message: { host_keys: ['is invalid'] },
    means: 'Not a public key of SSH, as `ssh-ed25519 AAAA…`.',
  },
  tooMany: { status: 400, message: { base: ['Limit of 20 mirrors reached'] }, means: 'A project has many mirrors.' },
});

/** See docs/api/mirrors.md#1. */
export const RemoteMirror = z.object({
  id,
  enabled: z.boolean(),
  url: z.string().describe('Name and password are always masked'),
  update_status: z.enum(['none', 'scheduled', 'started', 'finished', 'to_retry', 'failed']),
  last_error: z.string().nullable(),
  last_update_at: time.nullable(),
  last_update_started_at: time.nullable(),
  last_successful_update_at: time.nullable(),
  only_protected_branches: z.boolean(),
  keep_divergent_refs: z.boolean(),
  auth_method: z.enum(['password', 'ssh_public_key']),
  host_keys: z
    .array(z.object({ fingerprint_sha256: z.string() }))
    .describe('Of the other server over SSH: as given, else as seen at the first contact; no other is accepted'),
});

const maintains = onProject({ feature: 'repository', level: Access.Maintainer });
const mirror = { ...projectRef, mirror_id: id };
const options = {
  enabled: z.boolean().optional(),
  only_protected_branches: z.boolean().optional(),
  keep_divergent_refs: z.boolean().optional(),
  host_keys: z
    .array(z.string().max(5000))
    .max(20)
    .optional()
    .describe('Keys that the other server may show over SSH, each as `ssh-ed25519 AAAA…`; an empty list forgets them'),
};

export const listRemoteMirrors = operation({
  name: 'repository.remote-mirrors.list',
  summary: 'Push mirrors and their status',
  http: get('/projects/:id/remote_mirrors'),
  access: maintains,
  input: z.object(projectRef),
  output: page(RemoteMirror),
});

export const getRemoteMirror = operation({
  name: 'repository.remote-mirrors.get',
  refusals: ['common.not_found'],
  summary: 'One push mirror',
  http: get('/projects/:id/remote_mirrors/:mirror_id'),
  access: maintains,
  input: z.object(mirror),
  output: RemoteMirror,
});

export const createRemoteMirror = operation({
  name: 'repository.remote-mirrors.create',
  description: 'Disabled by default.',
  refusals: ['mirror.url_blocked', 'mirror.host_key_invalid', 'mirror.too_many'],
  summary: 'Mirror the repository to another server',
  http: post('/projects/:id/remote_mirrors'),
  access: maintains,
  input: z.object({ ...projectRef, url: z.string().min(1).max(4000), ...options }),
  output: RemoteMirror,
});

export const updateRemoteMirror = operation({
  name: 'repository.remote-mirrors.update',
  refusals: ['common.not_found', 'mirror.host_key_invalid'],
  summary: 'Change a push mirror',
  http: [
    put('/projects/:id/remote_mirrors/:mirror_id'),
    post('/projects/:id/remote_mirrors/:mirror_id', { success: 200, deprecated: true }),
  ],
  access: maintains,
  input: z.object({ ...mirror, ...options }),
  output: RemoteMirror,
});

export const deleteRemoteMirror = operation({
  name: 'repository.remote-mirrors.delete',
  summary: 'Stop mirroring',
  http: del('/projects/:id/remote_mirrors/:mirror_id'),
  access: maintains,
  input: z.object(mirror),
  output: nothing(),
});

export const syncRemoteMirror = operation({
  name: 'repository.remote-mirrors.sync',
  summary: 'Push to a mirror now',
  http: post('/projects/:id/remote_mirrors/:mirror_id/sync', { success: 204 }),
  access: maintains,
  input: z.object(mirror),
  output: nothing(),
});

export const getMirrorPublicKey = operation({
  name: 'repository.remote-mirrors.public-key',
  description: 'The public key for mirrors over SSH; the other server must accept it.',
  refusals: ['common.not_found for others'],
  summary: 'Public SSH key of a mirror',
  http: get('/projects/:id/remote_mirrors/:mirror_id/public_key'),
  access: maintains,
  input: z.object(mirror),
  output: z.object({ public_key: z.string() }),
});
