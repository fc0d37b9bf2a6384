import { z } from 'zod';
import { administrator, date, del, get, id, nothing, operation, page, post } from '../operation';
import { PersonalAccessToken, tokenScopeList } from './personal-access-token';

const ImpersonationToken = PersonalAccessToken.extend({ impersonation: z.literal(true) });

/** See docs/api/tokens.md#3. */
export const listImpersonationTokens = operation({
  name: 'identity.impersonation-tokens.list',
  summary: 'Impersonation tokens of a user',
  description: 'By these, administrators act as the user.',
  refusals: ['user.not_found'],
  http: get('/users/:user_id/impersonation_tokens'),
  access: administrator(),
  input: z.object({ user_id: id, state: z.enum(['all', 'active', 'inactive']).default('all') }),
  output: page(ImpersonationToken),
});

export const getImpersonationToken = operation({
  name: 'identity.impersonation-tokens.get',
  summary: 'One impersonation token of a user',
  refusals: ['user.not_found', 'token.not_found'],
  http: get('/users/:user_id/impersonation_tokens/:impersonation_token_id'),
  access: administrator(),
  input: z.object({ user_id: id, impersonation_token_id: id }),
  output: ImpersonationToken,
});

export const createImpersonationToken = operation({
  name: 'identity.impersonation-tokens.create',
  summary: 'Create an impersonation token',
  description: 'The token acts as that user. Only this answer has the token.',
  refusals: ['user.not_found'],
  http: post('/users/:user_id/impersonation_tokens'),
  access: administrator(),
  input: z.object({
    user_id: id,
    name: z.string().min(1).max(255),
    description: z.string().nullish(),
    scopes: tokenScopeList,
    expires_at: date.nullish(),
  }),
  output: ImpersonationToken.extend({ token: z.string() }),
});

export const revokeImpersonationToken = operation({
  name: 'identity.impersonation-tokens.revoke',
  summary: 'Revoke an impersonation token',
  refusals: ['user.not_found', 'token.not_found'],
  http: del('/users/:user_id/impersonation_tokens/:impersonation_token_id'),
  access: administrator(),
  input: z.object({ user_id: id, impersonation_token_id: id }),
  output: nothing(),
});
