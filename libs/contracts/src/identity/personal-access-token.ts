import { z } from 'zod';
import {
  administrator,
  commaList,
  date,
  del,
  errors,
  get,
  id,
  internal,
  nothing,
  operation,
  page,
  post,
  signedIn,
  time,
  timestamp,
} from '../operation';

export const tokenErrors = errors('token', {
  notFound: { status: 404, message: '404 Token Not Found', means: 'No such token, or not one of the caller.' },
  refused: { status: 422, message: '422 Unprocessable Entity', means: 'The token cannot be made for that user.' },
});

/** See docs/api/tokens.md#2. */
export const PersonalAccessToken = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  revoked: z.boolean(),
  created_at: time,
  scopes: z.array(z.string()),
  user_id: id,
  last_used_at: time.nullable(),
  active: z.boolean(),
  expires_at: date.nullable(),
});

/** The token itself is only in the answer that creates it. */
export const NewToken = PersonalAccessToken.extend({ token: z.string() });

/** Scopes of personal tokens. See docs/api/requests.md#2. */
export const tokenScopes = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
] as const;

export const rotatedUntil = date.nullish().describe('Last day of the new token; a week from now unless given');

/** At least one: a token without scopes has no rights. */
export const tokenScopeList = commaList(z.enum(tokenScopes)).min(1);

const request = {
  name: z.string().min(1).max(255),
  description: z.string().max(2000).nullish(),
  scopes: tokenScopeList,
  expires_at: date.nullish(),
};

export const createUserToken = operation({
  name: 'identity.personal-access-tokens.create-for-user',
  summary: 'Create a personal access token of a user',
  description: 'The answer holds the token, this once.',
  refusals: ['user.not_found', 'token.refused for users that may not sign in'],
  http: post('/users/:user_id/personal_access_tokens'),
  access: administrator(),
  input: z.object({ user_id: id, ...request }),
  output: NewToken,
});

export const createOwnToken = operation({
  name: 'identity.personal-access-tokens.create',
  summary: 'Create a personal access token of the caller',
  description: 'It carries the scopes of the token used, at most. The answer holds the token, this once.',
  http: post('/user/personal_access_tokens'),
  access: signedIn(),
  input: z.object(request),
  output: NewToken,
});

export const listTokens = operation({
  name: 'identity.personal-access-tokens.list',
  summary: 'Personal access tokens',
  description: 'Tokens of the caller; administrators see those of all users, or of `user_id`.',
  http: get('/personal_access_tokens'),
  access: signedIn(),
  input: z.object({
    user_id: id.optional(),
    revoked: z.boolean().optional(),
    state: z.enum(['active', 'inactive']).optional(),
    search: z.string().optional().describe('Part of the name'),
    created_before: timestamp.optional(),
    created_after: timestamp.optional(),
    last_used_before: timestamp.optional(),
    last_used_after: timestamp.optional(),
  }),
  output: page(PersonalAccessToken),
});

export const getOwnToken = operation({
  name: 'identity.personal-access-tokens.self',
  summary: 'The token that the request is made with',
  refusals: ['common.bad_request when it was another credential'],
  http: get('/personal_access_tokens/self'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: PersonalAccessToken,
});

export const getToken = operation({
  name: 'identity.personal-access-tokens.get',
  summary: 'One personal access token',
  refusals: ['token.not_found'],
  http: get('/personal_access_tokens/:id'),
  access: signedIn(),
  input: z.object({ id }),
  output: PersonalAccessToken,
});

export const revokeOwnToken = operation({
  name: 'identity.personal-access-tokens.revoke-self',
  summary: 'Revoke the token that the request is made with',
  http: del('/personal_access_tokens/self'),
  access: signedIn(),
  scopes: ['read_user', 'read_api'],
  input: z.object({}),
  output: nothing(),
});

export const revokeToken = operation({
  name: 'identity.personal-access-tokens.revoke',
  summary: 'Revoke a personal access token',
  refusals: ['token.not_found'],
  http: del('/personal_access_tokens/:id'),
  access: signedIn(),
  input: z.object({ id }),
  output: nothing(),
});

export const rotateToken = operation({
  name: 'identity.personal-access-tokens.rotate',
  summary: 'Replace a personal access token',
  description: 'Revokes the token and answers a new one, valid for a week unless `expires_at` is given.',
  refusals: ['token.not_found'],
  http: post('/personal_access_tokens/:id/rotate', { success: 200 }),
  access: signedIn(),
  input: z.object({ id, expires_at: rotatedUntil }),
  output: NewToken,
});

export const rotateOwnToken = operation({
  name: 'identity.personal-access-tokens.rotate-self',
  summary: 'Replace the token that the request is made with',
  description: 'Revokes the token and answers a new one, valid for a week unless `expires_at` is given.',
  http: post('/personal_access_tokens/self/rotate', { success: 200 }),
  access: signedIn(),
  input: z.object({ expires_at: rotatedUntil }),
  output: NewToken,
});

/** A personal access token with a given value, for seeds. Given again, it exists once. */
export const issueKnownToken = operation({
  name: 'identity.personal-access-tokens.issue-known',
  access: internal(),
  input: z.object({
    user_id: id,
    name: z.string(),
    scopes: z.array(z.enum(tokenScopes)).min(1),
    expires_at: date.nullish(),
    token: z.string().min(20).max(255),
  }),
  output: nothing(),
});
