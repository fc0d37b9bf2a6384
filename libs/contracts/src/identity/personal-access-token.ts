import { z } from 'zod';
import {
  administrator,
  commaList,
  date,
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
  timestamp,
} from '../operation';

export const tokenErrors = errors('token', {
  notFound: { status: 404, message: '404 Token Not Found', means: 'No such token, or not one of the caller.' },
  refused: { status: 422, message: '422 Unprocessable Entity', means: 'The token cannot be made for that user.' },
});

/** Source: clarifications C.10. */
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

/** The token itself is shown once, in the answer that makes it. */
const NewToken = PersonalAccessToken.extend({ token: z.string() });

/** What personal tokens may carry. Source: clarifications A.1. */
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

/** At least one: a token without scopes opens nothing. */
export const tokenScopeList = commaList(z.enum(tokenScopes)).min(1);

const request = {
  name: z.string().min(1).max(255),
  description: z.string().nullish(),
  scopes: tokenScopeList,
  expires_at: date.nullish(),
};

/** @throws user.not_found; token.refused for users that may not sign in */
export const createUserToken = operation({
  name: 'identity.personal-access-tokens.create-for-user',
  http: post('/users/:user_id/personal_access_tokens'),
  access: administrator(),
  input: z.object({ user_id: id, ...request }),
  output: NewToken,
});

/** Tokens that users make for themselves this way carry the scope of the token used, at most. */
export const createOwnToken = operation({
  name: 'identity.personal-access-tokens.create',
  http: post('/user/personal_access_tokens'),
  access: signedIn(),
  input: z.object(request),
  output: NewToken,
});

/** The caller's tokens; administrators see those of everybody, or of `user_id`. */
export const listTokens = operation({
  name: 'identity.personal-access-tokens.list',
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

/** The token that the request was made with. @throws common.bad_request when it was another credential */
export const getOwnToken = operation({
  name: 'identity.personal-access-tokens.self',
  http: get('/personal_access_tokens/self'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: PersonalAccessToken,
});

/** @throws token.not_found */
export const getToken = operation({
  name: 'identity.personal-access-tokens.get',
  http: get('/personal_access_tokens/:id'),
  access: signedIn(),
  input: z.object({ id }),
  output: PersonalAccessToken,
});

/** Revokes the token that the request was made with. */
export const revokeOwnToken = operation({
  name: 'identity.personal-access-tokens.revoke-self',
  http: del('/personal_access_tokens/self'),
  access: signedIn(),
  scopes: ['read_user', 'read_api'],
  input: z.object({}),
  output: nothing(),
});

/** @throws token.not_found */
export const revokeToken = operation({
  name: 'identity.personal-access-tokens.revoke',
  http: del('/personal_access_tokens/:id'),
  access: signedIn(),
  input: z.object({ id }),
  output: nothing(),
});

/** Revokes a token and gives another in its place, for a week unless `expires_at` says otherwise. */
export const rotateToken = operation({
  name: 'identity.personal-access-tokens.rotate',
  http: post('/personal_access_tokens/:id/rotate', { success: 200 }),
  access: signedIn(),
  input: z.object({ id, expires_at: date.nullish() }),
  output: NewToken,
});

/** The same for the token that the request was made with. */
export const rotateOwnToken = operation({
  name: 'identity.personal-access-tokens.rotate-self',
  http: post('/personal_access_tokens/self/rotate', { success: 200 }),
  access: signedIn(),
  input: z.object({ expires_at: date.nullish() }),
  output: NewToken,
});
