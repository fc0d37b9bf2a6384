import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import {
  authenticateToken,
  authorize,
  blockUser,
  createApplication,
  decideAuthorization,
  deleteApplication,
  enableTwoFactor,
  type InputOf,
  introspectToken,
  issueToken,
  openidConfiguration,
  registerApplication,
  removeApplication,
  revokeAuthorization,
  revokeOauthToken,
  showApplications,
  showSignIn,
  showTwoFactor,
  signIn,
  signingKeys,
  tokenInfo,
  userInfo,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import type { ServiceUnderTest } from '@moothall/testing';
import { verify } from 'jsonwebtoken';
import { Secret, TOTP } from 'otpauth';
import { hiddenFields, TestBrowser } from './browser';
import { asAdministrator, callerFor, failure, makeToken, makeUser, startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
}, 60_000);
afterAll(() => identity?.stop());

const redirect_uri = 'https://ci.example/callback';
const allScopes = 'api read_api read_user openid profile email';

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

/** Answers an authorization request as its user. @returns parameters of the redirect back */
async function consent(browser: TestBrowser, input: InputOf<typeof authorize>, decision = 'authorize') {
  const answer = await browser.submit(authorize, { redirect_uri, ...input }, decideAuthorization, { decision });
  return backTo(answer.headers.location);
}

function backTo(location: string | undefined): Record<string, string> {
  const url = new URL(location!);
  expect(`${url.origin}${url.pathname}`).toBe(redirect_uri);
  return Object.fromEntries(new URLSearchParams(url.hash ? url.hash.slice(1) : url.search));
}

/** Calls an OAuth endpoint as the gateway would. */
async function ask<T extends typeof issueToken | typeof tokenInfo | typeof introspectToken | typeof revokeOauthToken>(
  operation: T,
  input: InputOf<T>,
  authorization?: string,
) {
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
const basicOf = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

describe('the authorization code flow', () => {
  it('lets an application act for the user who consented', async () => {
    const { id: _id, ...application } = await register();
    const { user, browser } = await signedIn();
    const request = { client_id: application.client_id, response_type: 'code', scope: 'read_user', state: 'x&y=1' };
    const back = await consent(browser, request);
    expect(back).toEqual({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'x&y=1' });
    const grant = { grant_type: 'authorization_code', code: back.code, redirect_uri, ...application };
    const { status, headers, body } = await ask(issueToken, grant);
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'read_user',
      created_at: expect.any(Number),
    });
    const { caller } = await holderOf(body.access_token);
    expect(caller).toMatchObject({ id: user.id, credential: 'oauth_token', scopes: ['read_user'] });
  });

  it('asks who is not signed in to sign in first, and leads back', async () => {
    const { client_id } = await register();
    const browser = new TestBrowser(identity);
    const input = { client_id, redirect_uri, response_type: 'code', state: 's' };
    const { status, headers } = await browser.ask(authorize, input);
    expect(status).toBe(303);
    const returnTo = new URLSearchParams(headers.location!.split('?')[1]).get('return_to')!;
    const again = new URLSearchParams(returnTo.slice('/oauth/authorize?'.length));
    expect(Object.fromEntries(again)).toEqual(input);
    const page = await browser.ask(showSignIn, { return_to: returnTo });
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://ci.example;");
  });

  it('names application and scopes in plain words before it lets anything happen', async () => {
    const { client_id } = await register();
    const { browser } = await signedIn();
    const { body, headers } = await browser.ask(authorize, {
      client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'api',
    });
    expect(body).toContain('Authorize Build &lt;Server&gt;?');
    expect(body).toContain('Do everything you can do');
    expect(headers['content-security-policy']).toContain("form-action 'self' https://ci.example;");
  });

  it('tells the application that the user said no', async () => {
    const { client_id } = await register();
    const { browser } = await signedIn();
    const back = await consent(browser, { client_id, response_type: 'code', state: 's' }, 'deny');
    expect(back).toMatchObject({ error: 'access_denied', state: 's' });
  });

  it('asks once for the same scopes, again for more, and never for a trusted application', async () => {
    const { application, browser } = await authorized('read_user');
    const request = { client_id: application.client_id, redirect_uri, response_type: 'code' };
    expect(await browser.ask(authorize, { ...request, scope: 'read_user' })).toMatchObject({ status: 303 });
    expect(await browser.ask(authorize, { ...request, scope: 'read_user', prompt: 'consent' })).toMatchObject({
      status: 200,
    });
    expect(await browser.ask(authorize, { ...request, scope: 'api' })).toMatchObject({ status: 200 });
    const trusted = await register({ trusted: true });
    const known = { ...request, client_id: trusted.client_id };
    expect(await browser.ask(authorize, known)).toMatchObject({ status: 303 });
  });

  it('sends nothing to addresses that nobody registered', async () => {
    const { client_id } = await register();
    const { browser } = await signedIn();
    const wrong = [
      { client_id: 'unknown', redirect_uri },
      { client_id, redirect_uri: `${redirect_uri}/` },
      { client_id, redirect_uri: 'https://evil.example/callback' },
    ];
    const answers = await Promise.all(
      wrong.map((input) => browser.ask(authorize, { response_type: 'code', ...input })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 400]);
    expect(answers.every(({ headers }) => headers.location === undefined)).toBe(true);
  });

  it.each([
    [{ scope: 'sudo' }, 'invalid_scope'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ prompt: 'none' }, 'login_required'],
  ])('tells the application what is wrong with %j', async (over, error) => {
    const { client_id } = await register();
    const input = { client_id, redirect_uri, response_type: 'code', state: 's', ...over };
    const { headers } = await new TestBrowser(identity).ask(authorize, input);
    expect(backTo(headers.location)).toMatchObject({ error, state: 's' });
  });

  it('takes no consent from a form of another site', async () => {
    const { client_id } = await register();
    const { browser } = await signedIn();
    const input = { client_id, redirect_uri, response_type: 'code', decision: 'authorize', csrf: 'guess' };
    expect(await browser.ask(decideAuthorization, input)).toMatchObject({ status: 422 });
  });
});

describe('a code', () => {
  const exchange = (code: string, over: object) =>
    ask(issueToken, { grant_type: 'authorization_code', code, redirect_uri, ...over });

  it('is good once, and its second use stops what the first got', async () => {
    const { application, code, tokens } = await authorized();
    await holderOf(tokens.access_token);
    expect(await exchange(code, application)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  });

  it('is good for its application and redirect URI only', async () => {
    const { id: _id, ...application } = await register();
    const { id: _other, ...other } = await register();
    const { browser } = await signedIn();
    const { code } = await consent(browser, { client_id: application.client_id, response_type: 'code' });
    expect(await exchange(code!, other)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const moved = { ...application, redirect_uri: 'https://ci.example/other' };
    expect(await exchange(code!, moved)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const wrong = { ...application, client_secret: 'wrong' };
    expect(await exchange(code!, wrong)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const { client_secret: _secret, ...nameOnly } = application;
    expect(await exchange(code!, nameOnly)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await exchange(code!, application)).toMatchObject({ status: 200 });
  });

  it('taken by two at once is given to one', async () => {
    const { id: _id, ...application } = await register();
    const { browser } = await signedIn();
    const { code } = await consent(browser, { client_id: application.client_id, response_type: 'code' });
    const answers = await Promise.all([1, 2, 3].map(() => exchange(code!, application)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each(['S256', 'plain'])(
    'with a %s challenge needs its verifier, and public applications no secret',
    async (method) => {
      const { client_id } = await register({ confidential: false });
      const verifier = randomBytes(32).toString('base64url');
      const hashed = createHash('sha256').update(verifier).digest('base64url');
      const challenge = {
        code_challenge: method === 'S256' ? hashed : verifier,
        code_challenge_method: method,
      };
      const { browser } = await signedIn();
      const wrongs = [randomBytes(32).toString('base64url'), undefined];
      for (const code_verifier of wrongs) {
        const { code } = await consent(browser, { client_id, response_type: 'code', ...challenge });
        expect(await exchange(code!, { client_id, code_verifier })).toMatchObject({ body: { error: 'invalid_grant' } });
        // A wrong guess used the code up.
        expect((await exchange(code!, { client_id, code_verifier: verifier })).status).toBe(400);
      }
      const { code } = await consent(browser, { client_id, response_type: 'code', ...challenge });
      expect(await exchange(code!, { client_id, code_verifier: verifier })).toMatchObject({ status: 200 });
    },
  );
});

describe('refreshing', () => {
  const refresh = (refresh_token: string, application: object) =>
    ask(issueToken, { grant_type: 'refresh_token', refresh_token, ...application });

  it('gives a new pair and ends the old one', async () => {
    const { application, tokens } = await authorized();
    const { status, body } = await refresh(tokens.refresh_token, application);
    expect(status).toBe(200);
    await expect(holderOf(body.access_token)).resolves.toBeDefined();
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  });

  it('twice with the same token is a theft, and stops everything', async () => {
    const { application, tokens } = await authorized();
    const { body } = await refresh(tokens.refresh_token, application);
    expect(await refresh(tokens.refresh_token, application)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await expect(holderOf(body.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    expect(await refresh(body.refresh_token, application)).toMatchObject({ status: 400 });
  });

  it('is refused to others, and for users who were blocked', async () => {
    const { application, tokens, user } = await authorized();
    const { id: _id, ...other } = await register();
    expect(await refresh(tokens.refresh_token, other)).toMatchObject({ body: { error: 'invalid_grant' } });
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    expect(await refresh(tokens.refresh_token, application)).toMatchObject({ body: { error: 'invalid_grant' } });
  });
});

describe('other grants', () => {
  it('implicit: the token comes in the fragment, without a refresh token', async () => {
    const { client_id } = await register();
    const { user, browser } = await signedIn();
    const back = await consent(browser, { client_id, response_type: 'token', state: 's', scope: 'read_user' });
    expect(back).toMatchObject({ token_type: 'bearer', expires_in: '7200', state: 's' });
    await expect(holderOf(back.access_token!)).resolves.toMatchObject({
      caller: { id: user.id, scopes: ['read_user'] },
    });
  });

  it('password: with and without an application', async () => {
    const user = await makeUser(identity);
    const { id: _id, ...application } = await register();
    const grant = { grant_type: 'password', username: user.username, password: 'correct horse' };
    for (const client of [{}, application]) {
      const { status, body } = await ask(issueToken, { ...grant, ...client });
      expect(status).toBe(200);
      await expect(holderOf(body.access_token)).resolves.toMatchObject({ caller: { id: user.id, scopes: ['api'] } });
      const again = await ask(issueToken, {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        ...client,
      });
      expect(again.status).toBe(200);
    }
    const { client_id, client_secret } = application;
    expect(await ask(issueToken, grant, basicOf(client_id, client_secret))).toMatchObject({ status: 200 });
  });

  it('password: not for the blocked, for who has a second factor, or for a wrong password', async () => {
    const { user, browser } = await signedIn();
    const grant = { grant_type: 'password', username: user.username, password: 'correct horse' };
    const wrong = await ask(issueToken, { ...grant, password: 'wrong horse' });
    const nobody = await ask(issueToken, { ...grant, username: 'nobody-at-all' });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(nobody).toEqual(wrong);
    const { secret, ...fields } = hiddenFields((await browser.ask(showTwoFactor, {})).body);
    const code = new TOTP({ secret: Secret.fromBase32(secret!) }).generate();
    await browser.ask(enableTwoFactor, { ...fields, secret, code });
    expect(await ask(issueToken, grant)).toEqual(wrong);
    const other = await makeUser(identity);
    await identity.client.call(blockUser, { id: other.id }, asAdministrator);
    expect(await ask(issueToken, { ...grant, username: other.username })).toEqual(wrong);
  });

  it('client credentials: a token of nobody', async () => {
    const { id: _id, ...application } = await register();
    const { status, body } = await ask(issueToken, { grant_type: 'client_credentials', ...application });
    expect({ status, refresh: body.refresh_token }).toEqual({ status: 200, refresh: undefined });
    await expect(holderOf(body.access_token)).rejects.toEqual(failure({ code: 'common.unauthorized' }));
  });

  it.each([
    [{}, 400, 'invalid_request'],
    [{ grant_type: 'telepathy' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code' }, 400, 'invalid_request'],
    [{ grant_type: 'client_credentials', scope: 'sudo' }, 400, 'invalid_scope'],
    [{ grant_type: 'authorization_code', code: 'unknown', redirect_uri }, 400, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, 400, 'invalid_grant'],
    [{ grant_type: 'client_credentials', client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('refuses %j with %d %s', async (grant, status, error) => {
    const { id: _id, ...application } = await register();
    const answer = await ask(issueToken, { ...application, ...grant });
    expect(answer).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
  });
});

describe('tokens', () => {
  it('tell what they are good for', async () => {
    const { application, tokens, user } = await authorized('api read_user');
    const info = {
      resource_owner_id: user.id,
      scope: ['api', 'read_user'],
      expires_in: expect.any(Number),
      application: { uid: application.client_id },
      created_at: tokens.created_at,
      scopes: ['api', 'read_user'],
      expires_in_seconds: expect.any(Number),
    };
    expect(await ask(tokenInfo, { access_token: tokens.access_token })).toMatchObject({ status: 200, body: info });
    const bearer = `Bearer ${tokens.access_token}`;
    expect((await ask(tokenInfo, {}, bearer)).body).toEqual(info);
    expect(await ask(tokenInfo, {})).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    const personal = await makeToken(identity, user);
    expect(await ask(tokenInfo, { access_token: personal.token })).toMatchObject({ status: 401 });
  });

  it('are shown to the application they belong to, and to no other', async () => {
    const { application, tokens } = await authorized();
    const { id: _id, ...other } = await register();
    const token = tokens.access_token;
    const own = await ask(introspectToken, { token }, basicOf(application.client_id, application.client_secret));
    expect(own.body).toMatchObject({ active: true, client_id: application.client_id, scope: 'api' });
    expect((await ask(introspectToken, { token, ...other })).body).toEqual({ active: false });
    expect((await ask(introspectToken, { token: 'unknown', ...application })).body).toEqual({ active: false });
    expect(await ask(introspectToken, { token })).toMatchObject({ status: 401 });
  });

  it('are revoked by their application only, and unknown ones without complaint', async () => {
    const { application, tokens } = await authorized();
    const { id: _id, ...other } = await register();
    const token = tokens.access_token;
    expect(await ask(revokeOauthToken, { token, ...other })).toMatchObject({ status: 403 });
    await holderOf(token);
    expect(await ask(revokeOauthToken, { token, ...application })).toMatchObject({ status: 200, body: {} });
    await expect(holderOf(token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    expect(await ask(revokeOauthToken, { token: 'unknown', ...application })).toMatchObject({ status: 200, body: {} });
    const { refresh_token } = tokens;
    expect(await ask(issueToken, { grant_type: 'refresh_token', refresh_token, ...application })).toMatchObject({
      status: 400,
    });
  });

  it('end when the user revokes the application', async () => {
    const { id, tokens, browser } = await authorized();
    const { body } = await browser.ask(showApplications, {});
    expect(body).toContain('Build &lt;Server&gt;');
    await browser.ask(revokeAuthorization, { application: String(id), csrf: hiddenFields(body).csrf });
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    expect((await browser.ask(showApplications, {})).body).not.toContain('Build &lt;Server&gt;');
  });

  it('end with their application', async () => {
    const { id, tokens } = await authorized();
    await identity.client.call(deleteApplication, { id }, asAdministrator);
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    await expect(identity.client.call(deleteApplication, { id }, asAdministrator)).rejects.toEqual(
      failure({ code: 'application.not_found' }),
    );
  });
});

describe('applications of a user', () => {
  it('are registered, used and deleted on a page', async () => {
    const { user, browser } = await signedIn();
    const csrf = hiddenFields((await browser.ask(showApplications, {})).body).csrf;
    const given = { name: 'My tool', redirect_uri, scopes: ['read_user'], confidential: '1', csrf };
    const { body } = await browser.ask(registerApplication, given);
    const client_id = /id="application_id">([0-9a-f]{64})</.exec(body)![1]!;
    const client_secret = /id="application_secret">([0-9a-f]{64})</.exec(body)![1]!;
    const { code } = await consent(browser, { client_id, response_type: 'code' });
    const grant = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret };
    const { body: tokens } = await ask(issueToken, grant);
    await expect(holderOf(tokens.access_token)).resolves.toMatchObject({
      caller: { id: user.id, scopes: ['read_user'] },
    });

    const stranger = await signedIn();
    const application = /action="\/-\/profile\/applications\/delete">[^]*?name="application" value="(\d+)"/.exec(
      (await browser.ask(showApplications, {})).body,
    )![1]!;
    const theirs = hiddenFields((await stranger.browser.ask(showApplications, {})).body).csrf;
    await expect(stranger.browser.ask(removeApplication, { application, csrf: theirs })).rejects.toEqual(
      failure({ code: 'application.not_found' }),
    );
    await browser.ask(removeApplication, { application, csrf });
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  });

  it('are not registered with what breaks the rules', async () => {
    const { browser } = await signedIn();
    const csrf = hiddenFields((await browser.ask(showApplications, {})).body).csrf;
    const given = { name: '', redirect_uri: 'javascript:alert(1)', csrf };
    const { status, body } = await browser.ask(registerApplication, given);
    expect(status).toBe(422);
    expect(body).toContain('redirect_uri is forbidden by the server.');
  });
});

describe('OpenID Connect', () => {
  it('signs who the user is, with the nonce, under a published key', async () => {
    const { id: _id, ...application } = await register();
    const { user, browser } = await signedIn();
    const request = {
      client_id: application.client_id,
      response_type: 'code',
      scope: 'openid profile email',
      nonce: 'n-1',
    };
    const { code } = await consent(browser, request);
    const { body } = await ask(issueToken, { grant_type: 'authorization_code', code, redirect_uri, ...application });
    const { keys } = await identity.client.call(signingKeys, {});
    const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
    const claims = verify(body.id_token, key, { issuer: 'http://moothall.test', audience: application.client_id });
    expect(claims).toMatchObject({
      sub: String(user.id),
      nonce: 'n-1',
      preferred_username: user.username,
      email: user.email,
      email_verified: true,
    });
    const { caller } = await holderOf(body.access_token);
    const info = await identity.client.call(userInfo, {}, { caller });
    expect(info).toMatchObject({ sub: String(user.id), name: user.name, email: user.email });
  });

  it('tells of a user no more than the scopes reach', async () => {
    const user = await makeUser(identity);
    const caller = callerFor(user, { scopes: ['openid'] });
    await expect(identity.client.call(userInfo, {}, { caller })).resolves.toEqual({ sub: String(user.id) });
  });

  it('says where everything is', async () => {
    const found = await identity.client.call(openidConfiguration, {});
    expect(found).toMatchObject({
      issuer: 'http://moothall.test',
      authorization_endpoint: 'http://moothall.test/oauth/authorize',
      jwks_uri: 'http://moothall.test/oauth/discovery/keys',
    });
  });
});
