import { z } from 'zod';
import { anyone, get, operation, post, raw, signedIn } from '../operation';

/*
 * The OAuth 2.0 provider stands at the root. Its endpoints read client credentials and cookies themselves, and their
 * errors have the form of RFC 6749. Source: specification 4.26, clarifications B.26.
 */

const atRoot = { atRoot: true, success: 200 };
const given = z.string().optional();

/** May come several times: that is the application's mistake to hear of, and not the user's. */
const perhapsRepeated = z.union([z.string(), z.array(z.unknown())]).optional();

/** What a client asks a user for. Source: RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect Core 3.1.2.1. */
const authorizationRequest = {
  client_id: perhapsRepeated,
  redirect_uri: perhapsRepeated,
  response_type: perhapsRepeated,
  response_mode: perhapsRepeated,
  scope: perhapsRepeated,
  state: perhapsRepeated,
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

/** Asks the signed-in user to consent, or sends them on when they have. */
export const authorize = operation({
  name: 'identity.oauth.authorize',
  http: get('/oauth/authorize', atRoot),
  access: anyone(),
  input: z.object(authorizationRequest),
  output: raw(),
});

/** The user's answer; without one, the request itself, which may come by POST as well as by GET. */
export const decideAuthorization = operation({
  name: 'identity.oauth.decide',
  http: post('/oauth/authorize', atRoot),
  access: anyone(),
  input: z.object({ ...authorizationRequest, csrf: given, decision: given }),
  output: raw(),
});

const clientCredentials = { client_id: given, client_secret: given };

/** Exchanges a grant for tokens. */
export const issueToken = operation({
  name: 'identity.oauth.token',
  http: post('/oauth/token', atRoot),
  access: anyone(),
  protocol: 'oauth',
  input: z.object({
    ...clientCredentials,
    grant_type: given,
    code: given,
    redirect_uri: given,
    code_verifier: given,
    refresh_token: given,
    username: given,
    password: given,
    scope: given,
  }),
  output: raw(),
});

/** What the token in use is good for. */
export const tokenInfo = operation({
  name: 'identity.oauth.token-info',
  http: get('/oauth/token/info', atRoot),
  access: anyone(),
  input: z.object({ access_token: given }),
  output: raw(),
});

/** Source: RFC 7009. */
export const revokeOauthToken = operation({
  name: 'identity.oauth.revoke',
  http: post('/oauth/revoke', atRoot),
  access: anyone(),
  protocol: 'oauth',
  input: z.object({ ...clientCredentials, token: given, token_type_hint: given }),
  output: raw(),
});

/** Source: RFC 7662. */
export const introspectToken = operation({
  name: 'identity.oauth.introspect',
  http: post('/oauth/introspect', atRoot),
  access: anyone(),
  protocol: 'oauth',
  input: z.object({ ...clientCredentials, token: given, token_type_hint: given }),
  output: raw(),
});

/** Claims about the token's user, as far as its scopes reach. Source: OpenID Connect Core 5.3. */
export const userInfo = operation({
  name: 'identity.oauth.userinfo',
  http: [get('/oauth/userinfo', atRoot), post('/oauth/userinfo', atRoot)],
  access: signedIn(),
  scopes: ['openid'],
  needsItsScopes: true,
  input: z.object({}),
  output: z.looseObject({ sub: z.string() }),
});

/** Where everything is, for clients that are pointed at the server. */
export const openidConfiguration = operation({
  name: 'identity.oauth.discovery',
  http: [
    get('/.well-known/openid-configuration', { atRoot: true }),
    get('/.well-known/oauth-authorization-server', { atRoot: true }),
  ],
  access: anyone(),
  input: z.object({}),
  output: z.looseObject({ issuer: z.string() }),
});

/** Keys that id tokens are signed with. */
export const signingKeys = operation({
  name: 'identity.oauth.keys',
  http: get('/oauth/discovery/keys', { atRoot: true }),
  access: anyone(),
  input: z.object({}),
  output: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }),
});
