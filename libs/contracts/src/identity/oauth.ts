import { z } from 'zod';
import { anyone, get, internal, operation, post, raw, signedIn } from '../operation';

/*
 * The OAuth 2.0 provider is at the root. Its endpoints read client credentials and cookies themselves, and their
 * errors have the form of RFC 6749. See docs/api/oauth.md#1.
 */

const atRoot = { atRoot: true, success: 200 };
const given = z.string().optional();

/** May be repeated, which is an error of the application that it gets as an answer. */
const perhapsRepeated = z.union([z.string(), z.array(z.unknown())]).optional();

/** The authorization request of a client. Source: RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect Core 3.1.2.1. */
const authorizationRequest = {
  client_id: perhapsRepeated,
  redirect_uri: perhapsRepeated,
  response_type: perhapsRepeated,
  response_mode: perhapsRepeated,
  scope: perhapsRepeated.describe('Joined by blanks'),
  state: perhapsRepeated.describe('Comes back with the answer'),
  nonce: perhapsRepeated,
  code_challenge: perhapsRepeated,
  code_challenge_method: perhapsRepeated,
  prompt: perhapsRepeated,
  max_age: perhapsRepeated,
  login_hint: perhapsRepeated,
  id_token_hint: perhapsRepeated,
  request: perhapsRepeated,
  request_uri: perhapsRepeated,
  registration: perhapsRepeated,
  signed_in_after: given.describe('Set by the server itself, on the way back from a sign-in that was asked for'),
};

export const authorize = operation({
  name: 'identity.oauth.authorize',
  summary: 'Ask a user to authorize an application',
  description:
    'A page for browsers: asks the signed-in user to consent, or sends them on when they have. With PKCE where `code_challenge` is given.',
  http: get('/oauth/authorize', atRoot),
  access: anyone(),
  input: z.object(authorizationRequest),
  output: raw(),
});

export const decideAuthorization = operation({
  name: 'identity.oauth.decide',
  summary: 'Answer an authorization request',
  description:
    "A form of that page sends the user's answer; without one it is the request itself, which may come by POST as well as by GET.",
  http: post('/oauth/authorize', atRoot),
  access: anyone(),
  input: z.object({ ...authorizationRequest, csrf: given, decision: given }),
  output: raw(),
});

const clientCredentials = { client_id: given, client_secret: given };

export const issueToken = operation({
  name: 'identity.oauth.token',
  summary: 'Exchange a grant for tokens',
  description:
    '`authorization_code` with its `code`, `refresh_token` or `password`. Clients sign in by HTTP Basic or by `client_id` and `client_secret`; those without a secret send the `code_verifier` of PKCE. Parameters come in the body and nowhere else, and refusals have the form of RFC 6749.',
  http: post('/oauth/token', atRoot),
  access: anyone(),
  protocol: 'oauth',
  input: z.object({
    ...clientCredentials,
    grant_type: given,
    code: given.describe('The code of the redirect'),
    redirect_uri: given,
    code_verifier: given,
    refresh_token: given,
    username: given,
    password: given,
    scope: given.describe('Joined by blanks'),
  }),
  output: raw('application/json'),
});

export const tokenInfo = operation({
  name: 'identity.oauth.token-info',
  summary: 'Scopes and expiry of the token in use',
  http: get('/oauth/token/info', atRoot),
  access: anyone(),
  input: z.object({ access_token: given }),
  output: raw('application/json'),
});

/** Source: RFC 7009. */
export const revokeOauthToken = operation({
  name: 'identity.oauth.revoke',
  summary: 'Revoke a token, as RFC 7009 has it',
  description: 'Answers 200 also for a token that is unknown.',
  http: post('/oauth/revoke', atRoot),
  access: anyone(),
  protocol: 'oauth',
  input: z.object({ ...clientCredentials, token: given, token_type_hint: given }),
  output: raw('application/json'),
});

/** Source: RFC 7662. */
export const introspectToken = operation({
  name: 'identity.oauth.introspect',
  summary: 'Token introspection (RFC 7662)',
  description: 'Clients sign in by HTTP Basic or by `client_id` and `client_secret` in the body.',
  http: post('/oauth/introspect', atRoot),
  access: anyone(),
  isRead: true,
  protocol: 'oauth',
  input: z.object({ ...clientCredentials, token: given, token_type_hint: given }),
  output: raw('application/json'),
});

/** Source: OpenID Connect Core 5.3. */
export const userInfo = operation({
  name: 'identity.oauth.userinfo',
  summary: 'Claims about the user of a token',
  description: 'The claims of the scopes `openid`, `profile` and `email`.',
  http: [get('/oauth/userinfo', atRoot), post('/oauth/userinfo', atRoot)],
  access: signedIn(),
  isRead: true,
  scopes: ['openid'],
  needsItsScopes: true,
  input: z.object({}),
  output: z.looseObject({ sub: z.string() }),
});

export const openidConfiguration = operation({
  name: 'identity.oauth.discovery',
  summary: 'Where everything is, for OpenID Connect clients',
  http: [
    get('/.well-known/openid-configuration', { atRoot: true }),
    get('/.well-known/oauth-authorization-server', { atRoot: true }),
  ],
  access: anyone(),
  input: z.object({}),
  output: z.looseObject({ issuer: z.string() }),
});

export const signingKeys = operation({
  name: 'identity.oauth.keys',
  summary: 'Public keys that id tokens are signed with',
  http: get('/oauth/discovery/keys', { atRoot: true }),
  access: anyone(),
  input: z.object({}),
  output: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
});

/**
 * Signs the claims of a running job for other services, with the keys of id tokens. Issuer, time and
 * expiry are in the token. See docs/api/pipeline-files.md#11.
 */
export const signJobIdToken = operation({
  name: 'identity.oauth.sign-job-id-token',
  access: internal(),
  isRead: true,
  input: z.object({
    subject: z.string().describe('The resource; never a number, which is a user'),
    audiences: z.array(z.string()).min(1),
    expires_in_seconds: z.int().positive().max(86_400).describe('No longer than former keys are published'),
    claims: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
  output: z.object({ token: z.string() }),
});

/**
 * Creates a new key that signs id tokens. It is published before it signs, so that clients and every process know it;
 * the former one stays published while its tokens are valid. A repeated call before that returns the same.
 */
export const rotateSigningKey = operation({
  name: 'identity.oauth.rotate-signing-key',
  access: internal(),
  input: z.object({
    signs_after_seconds: z
      .int()
      .min(15)
      .max(86_400)
      .default(600)
      .describe('By then every process publishes it: that takes ten seconds at most'),
  }),
  output: z.object({ kid: z.string(), signs_from: z.iso.datetime(), published: z.int() }),
});
