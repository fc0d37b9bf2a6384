import {
  authenticateToken,
  authorize,
  createApplication,
  decideAuthorization,
  type InputOf,
  type introspectToken,
  issueToken,
  type revokeOauthToken,
  showSignIn,
  signIn,
  type tokenInfo,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import type { ServiceUnderTest } from '@moothall/testing';
import { TestBrowser } from './browser';
import { asAdministrator, makeUser } from './service-under-test';

type TokenEndpoint = typeof issueToken | typeof tokenInfo | typeof introspectToken | typeof revokeOauthToken;

export const redirect_uri = 'https://ci.example/callback';
const allScopes = 'api read_api read_user openid profile email';

export function backTo(location: string | undefined): Record<string, string> {
  const url = new URL(location!);
  expect(`${url.origin}${url.pathname}`).toBe(redirect_uri);
  const { iss, ...answer } = Object.fromEntries(new URLSearchParams(url.hash ? url.hash.slice(1) : url.search));
  // RFC 9207: every answer, success or error, names its issuer.
  expect(iss).toBe('http://moothall.test');
  return answer;
}

export const basicOf = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

/** Answers an authorization request as its user. @returns parameters of the redirect */
export async function consent(browser: TestBrowser, input: InputOf<typeof authorize>, decision = 'authorize') {
  const answer = await browser.submit(authorize, { redirect_uri, ...input }, decideAuthorization, { decision });
  return backTo(answer.headers.location);
}

/** Steps of tests of the OAuth provider. */
export function oauthOf(identity: ServiceUnderTest) {
  async function register(over: Partial<InputOf<typeof createApplication>> = {}) {
    const given = { name: 'Build <Server>', redirect_uri, scopes: allScopes, ...over };
    const made = await identity.client.call(createApplication, given, asAdministrator);
    return { id: made.id, client_id: made.application_id, client_secret: made.secret };
  }

  async function signedIn() {
    const user = await makeUser(identity);
    const browser = new TestBrowser(identity);
    await browser.submit(showSignIn, {}, signIn, { login: user.username, password: 'correct horse' });
    return { user, browser };
  }

  /** Calls an OAuth endpoint as the gateway does. */
  async function ask<T extends TokenEndpoint>(operation: T, input: InputOf<T>, authorization?: string) {
    const context = { requestId: 'test', client: { ip: '192.0.2.5', userAgent: 'test', authorization } };
    const { meta, body } = await identity.client.send(operation, operation.input.parse(input), context);
    return { status: meta.status, headers: meta.headers, body: JSON.parse(new TextDecoder().decode(body)) };
  }

  async function authorized(scope = 'api') {
    const { id, ...application } = await register();
    const { user, browser } = await signedIn();
    const { code } = await consent(browser, { client_id: application.client_id, response_type: 'code', scope });
    const { body } = await ask(issueToken, { grant_type: 'authorization_code', code, redirect_uri, ...application });
    return { id, application, user, browser, code: code!, tokens: body };
  }

  const holderOf = (token: string) => identity.client.call(authenticateToken, { token_sha256: sha256(token) });

  return { register, signedIn, ask, authorized, holderOf };
}
