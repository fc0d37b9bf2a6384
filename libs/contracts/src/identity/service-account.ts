import { z } from 'zod';
import {
  Access,
  administrator,
  commaList,
  date,
  del,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  operation,
  page,
  patch,
  post,
  someChangeOf,
  time,
} from '../operation';
import { NewToken, PersonalAccessToken, rotatedUntil, tokenScopes } from './personal-access-token';

/** A user for programs: nobody signs in as it, and it acts with its tokens. See docs/api/tokens.md#7. */
const ServiceAccount = z.object({
  id,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  unconfirmed_email: z.string().nullable(),
  created_at: time,
});
export type ServiceAccount = z.infer<typeof ServiceAccount>;

const naming = {
  name: z.string().max(255).optional().describe('`Service account user`, unless given'),
  username: z.string().max(255).optional().describe('`service_account_` and random digits, unless given'),
  email: z.string().max(255).optional().describe('One that takes no mail, unless given; another is to be confirmed'),
};
const change = {
  name: z.string().max(255).optional(),
  username: z.string().max(255).optional(),
  email: z.string().max(255).optional().describe('It becomes the address once it is confirmed'),
};
const order = {
  order_by: z.enum(['id', 'username']).default('id'),
  sort: z.enum(['asc', 'desc']).default('desc'),
};
const refusals = ['user_conflict.username_taken', 'user_conflict.email_taken'];
const owned = onGroup({ level: Access.Owner });
const ofGroup = { ...groupRef, user_id: id };

export const listServiceAccounts = operation({
  name: 'identity.service-accounts.list',
  summary: 'Service accounts of the instance and of all groups',
  http: get('/service_accounts'),
  access: administrator(),
  input: z.object(order),
  output: page(ServiceAccount),
});

export const createServiceAccount = operation({
  name: 'identity.service-accounts.create',
  summary: 'Create a service account of the instance',
  refusals,
  http: post('/service_accounts'),
  access: administrator(),
  input: z.object(naming),
  output: ServiceAccount,
});

export const updateServiceAccount = operation({
  name: 'identity.service-accounts.update',
  summary: 'Change a service account',
  refusals: ['user.not_found', ...refusals],
  http: patch('/service_accounts/:user_id'),
  access: administrator(),
  input: z.object({ user_id: id, ...change }).refine(...someChangeOf('name', 'username', 'email')),
  output: ServiceAccount,
});

export const listGroupServiceAccounts = operation({
  name: 'identity.group-service-accounts.list',
  summary: 'Service accounts of a group',
  http: get('/groups/:id/service_accounts'),
  access: owned,
  input: z.object({ ...groupRef, ...order }),
  output: page(ServiceAccount),
});

export const createGroupServiceAccount = operation({
  name: 'identity.group-service-accounts.create',
  summary: 'Create a service account of a group',
  description: 'It is no member of the group until it is added like any user.',
  refusals,
  http: post('/groups/:id/service_accounts'),
  access: owned,
  input: z.object({ ...groupRef, ...naming }),
  output: ServiceAccount,
});

export const updateGroupServiceAccount = operation({
  name: 'identity.group-service-accounts.update',
  summary: 'Change a service account of a group',
  refusals: ['user.not_found', ...refusals],
  http: patch('/groups/:id/service_accounts/:user_id'),
  access: owned,
  input: z.object({ ...ofGroup, ...change }).refine(...someChangeOf('name', 'username', 'email')),
  output: ServiceAccount,
});

export const deleteGroupServiceAccount = operation({
  name: 'identity.group-service-accounts.delete',
  summary: 'Delete a service account of a group',
  refusals: ['user.not_found', 'user_conflict.sole_owner'],
  http: del('/groups/:id/service_accounts/:user_id'),
  access: owned,
  input: z.object({
    ...ofGroup,
    hard_delete: z.boolean().default(false).describe('Take its contributions along'),
  }),
  output: nothing(),
});

export const listServiceAccountTokens = operation({
  name: 'identity.service-account-tokens.list',
  summary: 'Tokens of a service account of a group',
  refusals: ['user.not_found'],
  http: get('/groups/:id/service_accounts/:user_id/personal_access_tokens'),
  access: owned,
  input: z.object({ ...ofGroup, state: z.enum(['active', 'inactive']).optional() }),
  output: page(PersonalAccessToken),
});

export const createServiceAccountToken = operation({
  name: 'identity.service-account-tokens.create',
  summary: 'Create a token of a service account of a group',
  description: 'The answer holds the token, this once.',
  refusals: ['user.not_found', 'token.refused for an account that is blocked'],
  http: post('/groups/:id/service_accounts/:user_id/personal_access_tokens'),
  access: owned,
  input: z.object({
    ...ofGroup,
    name: z.string().min(1).max(255),
    description: z.string().max(2000).nullish(),
    scopes: commaList(z.enum(tokenScopes).exclude(['sudo'])).min(1),
    expires_at: date.nullish(),
  }),
  output: NewToken,
});

export const revokeServiceAccountToken = operation({
  name: 'identity.service-account-tokens.revoke',
  summary: 'Revoke a token of a service account of a group',
  refusals: ['user.not_found', 'token.not_found'],
  http: del('/groups/:id/service_accounts/:user_id/personal_access_tokens/:token_id'),
  access: owned,
  input: z.object({ ...ofGroup, token_id: id }),
  output: nothing(),
});

export const rotateServiceAccountToken = operation({
  name: 'identity.service-account-tokens.rotate',
  summary: 'Replace a token of a service account of a group',
  description:
    'Revokes the token and answers a new one, valid for a week unless `expires_at` is given. Rotating a revoked token also revokes its successor.',
  refusals: ['user.not_found', 'token.not_found'],
  http: post('/groups/:id/service_accounts/:user_id/personal_access_tokens/:token_id/rotate', { success: 200 }),
  access: owned,
  input: z.object({ ...ofGroup, token_id: id, expires_at: rotatedUntil }),
  output: NewToken,
});
