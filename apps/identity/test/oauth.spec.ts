import { createHash, randomBytes } from 'node:crypto';
import { authorize, decideAuthorization, issueToken, showSignIn, signIn } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { AuthorizationCodes } from '../src/oauth/authorization-code.repository';
import { TestBrowser } from './browser';
import { backTo, consent, oauthOf, redirect_uri } from './oauth-steps';
import { failure, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());
const { register, signedIn, ask, authorized, holderOf } = oauthOf(identity);

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

  it('redirects anonymous visitors to the sign-in and back', async () => {
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
    expect(body).toContain('Authorize Build &lt;Server>?');
    expect(body).toContain('Do everything you can do');
    expect(headers['content-security-policy']).toContain("form-action 'self' https://ci.example;");
  });

  it('informs the application that the user denied access', async () => {
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

  it('never redirects to addresses that are not registered', async () => {
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
  ])('informs the application about the error in %j', async (over, error) => {
    const { client_id } = await register();
    const input = { client_id, redirect_uri, response_type: 'code', state: 's', ...over };
    const { headers } = await new TestBrowser(identity).ask(authorize, input);
    expect(backTo(headers.location)).toMatchObject({ error, state: 's' });
  });

  it('refuses a consent from a form of another site', async () => {
    const { client_id } = await register();
    const { browser } = await signedIn();
    const input = { client_id, redirect_uri, response_type: 'code', decision: 'authorize', csrf: 'guess' };
    expect(await browser.ask(decideAuthorization, input)).toMatchObject({ status: 422 });
  });
});

// OpenID Connect Core 3.1.2.1.
describe('a fresh sign-in', () => {
  const request = { redirect_uri, response_type: 'code', scope: 'read_user' };
  const known = async () => {
    const { client_id } = await register({ trusted: true });
    return { ...request, client_id };
  };
  const signInAgain = async (browser: TestBrowser, user: { username: string }, location: string | undefined) => {
    const { return_to, again } = Object.fromEntries(new URLSearchParams(location!.split('?')[1]));
    const fields = { login: user.username, password: 'correct horse' };
    const { headers } = await browser.submit(showSignIn, { return_to, again }, signIn, fields);
    return Object.fromEntries(new URLSearchParams(headers.location!.slice('/oauth/authorize?'.length)));
  };

  it.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }])(
    'is required once of a signed-in user, with %j',
    async (over) => {
      const input = { ...(await known()), ...over };
      const { browser, user } = await signedIn();
      const asked = await browser.ask(authorize, input);
      expect(asked.headers.location).toMatch(/^\/users\/sign_in\?return_to=.*&again=1$/);
      const again = await signInAgain(browser, user, asked.headers.location);
      expect(backTo((await browser.ask(authorize, again)).headers.location)).toHaveProperty('code');
      // The return path of one request is not valid for the next.
      expect((await browser.ask(authorize, input)).headers.location).toMatch(/^\/users\/sign_in/);
    },
  );

  it('is not required if the last one is recent', async () => {
    const { browser } = await signedIn();
    const { headers } = await browser.ask(authorize, { ...(await known()), max_age: '600' });
    expect(backTo(headers.location)).toHaveProperty('code');
  });

  it('is login_required to an application that wants nothing shown', async () => {
    const { browser } = await signedIn();
    const input = { ...(await known()), prompt: 'none' };
    const signedInBy = Date.now();
    await eventually(() => Date.now() > signedInBy, 'the next millisecond');
    expect(backTo((await browser.ask(authorize, { ...input, max_age: '0' })).headers.location)).toMatchObject({
      error: 'login_required',
    });
    expect(backTo((await browser.ask(authorize, input)).headers.location)).toHaveProperty('code');
  });

  it('is required if the application expects another user, and fails with prompt=none', async () => {
    const { id: _id, ...application } = await register({ trusted: true });
    const { client_id } = application;
    const { browser } = await signedIn();
    const input = { ...request, client_id, scope: 'openid' };
    const { code } = backTo((await browser.ask(authorize, input)).headers.location);
    const grant = { grant_type: 'authorization_code', code, redirect_uri, ...application };
    const { id_token: id_token_hint } = (await ask(issueToken, grant)).body;
    const hinted = { ...input, id_token_hint };
    expect(backTo((await browser.ask(authorize, hinted)).headers.location)).toHaveProperty('code');
    const other = await signedIn();
    const asked = await other.browser.ask(authorize, hinted);
    const again = await signInAgain(other.browser, other.user, asked.headers.location);
    const answer = await other.browser.ask(authorize, again);
    expect(backTo(answer.headers.location)).toMatchObject({ error: 'login_required' });
    const forged = { ...hinted, id_token_hint: `${id_token_hint}x` };
    expect(backTo((await browser.ask(authorize, forged)).headers.location)).toMatchObject({ error: 'invalid_request' });
  });
});

describe('an authorization request', () => {
  it('may arrive by POST, which redirects to GET', async () => {
    const { client_id } = await register();
    const input = { client_id, redirect_uri, response_type: 'code', state: 'a b' };
    const { status, headers } = await new TestBrowser(identity).ask(decideAuthorization, input);
    expect(status).toBe(303);
    expect(Object.fromEntries(new URLSearchParams(headers.location!.slice('/oauth/authorize?'.length)))).toEqual(input);
  });

  it('that no browser could be sent on with is refused', async () => {
    const { client_id } = await register();
    const asked = { client_id, redirect_uri, response_type: 'code', state: 'x'.repeat(1_000_000) };
    for (const operation of [authorize, decideAuthorization]) {
      const { status, headers } = await new TestBrowser(identity).ask(operation, asked);
      expect([status, headers.location]).toEqual([413, undefined]);
    }
  });

  it('with a parameter twice is refused', async () => {
    const { client_id } = await register();
    const input = { client_id, redirect_uri, response_type: 'code', state: 's' };
    const { browser } = await signedIn();
    const { headers } = await browser.ask(authorize, { ...input, scope: ['api', 'read_user'] });
    expect(backTo(headers.location)).toMatchObject({ error: 'invalid_request', state: 's' });
    const twoAddresses = await browser.ask(authorize, {
      ...input,
      redirect_uri: [redirect_uri, 'https://evil.example'],
    });
    expect(twoAddresses).toMatchObject({ status: 400 });
    expect(twoAddresses.headers.location).toBeUndefined();
  });
});

describe('a code', () => {
  const exchange = (code: string, over: object) =>
    ask(issueToken, { grant_type: 'authorization_code', code, redirect_uri, ...over });

  it('is valid once, and its second use revokes the tokens of the first', async () => {
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

  it('that was requested without the only redirect URI is also exchanged without it', async () => {
    const { id: _id, ...application } = await register();
    const { browser } = await signedIn();
    const input = { client_id: application.client_id, response_type: 'code', redirect_uri: undefined };
    const { code } = await consent(browser, input);
    const grant = { grant_type: 'authorization_code', code, ...application };
    expect(await ask(issueToken, { ...grant, redirect_uri: 'https://ci.example/other' })).toMatchObject({
      status: 400,
    });
    expect(await ask(issueToken, grant)).toMatchObject({ status: 200 });
  });

  // RFC 9700 2.1.1.
  it('is not issued to a public application without PKCE, and not exchanged by one', async () => {
    const { id, client_id } = await register({ confidential: false });
    const { browser, user } = await signedIn();
    const input = { client_id, redirect_uri, response_type: 'code', state: 's' };
    const { headers } = await browser.ask(authorize, input);
    expect(backTo(headers.location)).toMatchObject({ error: 'invalid_request', state: 's' });
    // In the form of an earlier version.
    const code = await identity.running.app.get(AuthorizationCodes).issue({
      applicationId: id,
      userId: user.id,
      redirectUri: redirect_uri,
      scopes: ['api'],
      codeChallenge: null,
      codeChallengeMethod: null,
      nonce: null,
      authenticatedAt: new Date(),
      familyId: 'family',
    });
    expect(await exchange(code, { client_id })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('exchanged twice concurrently yields one token', async () => {
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
        // A wrong verifier used the code up.
        expect((await exchange(code!, { client_id, code_verifier: verifier })).status).toBe(400);
      }
      const { code } = await consent(browser, { client_id, response_type: 'code', ...challenge });
      expect(await exchange(code!, { client_id, code_verifier: verifier })).toMatchObject({ status: 200 });
    },
  );
});
