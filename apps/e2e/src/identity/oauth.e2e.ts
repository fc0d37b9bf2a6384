import { type Client, custom, generators, Issuer } from 'openid-client';
import Strategy, { type VerifyCallback } from 'passport-oauth2';
import { ask, connection, newUser, root } from '../server/connection';
import { PageVisitor } from './page-visitor';

custom.setHttpOptionsDefaults({ timeout: 20_000 });

const redirectUri = 'https://app.example/callback';
type User = Awaited<ReturnType<typeof newUser>>;

async function registered(scopes = 'openid profile email read_user api') {
  const application = await root.Applications.create('Chart tool', redirectUri, scopes);
  return { id: String(application.applicationId ?? application.application_id), secret: String(application.secret) };
}

/** The steps of a user on the authorization page: sign in, read, agree. @returns the URL of the last redirect */
async function consentOf(user: User, authorizationUrl: string): Promise<string> {
  const visitor = new PageVisitor();
  const signIn = await visitor.load(authorizationUrl);
  const consent = await visitor.submit(signIn, { login: user.username, password: user.password });
  const answer = await visitor.submit(consent, { decision: 'authorize' });
  return answer.headers.get('location')!;
}

describe('signing in to an application with openid-client', () => {
  let client: Client;
  let user: User;
  beforeAll(async () => {
    const issuer = await Issuer.discover(connection.url);
    const { id, secret } = await registered();
    client = new issuer.Client({ client_id: id, client_secret: secret, redirect_uris: [redirectUri] });
    user = await newUser('guest');
  });

  it('works by the code flow with PKCE, a signed id token, refresh and revocation', async () => {
    const [verifier, state, nonce] = [generators.codeVerifier(), generators.state(), generators.nonce()];
    const url = client.authorizationUrl({
      scope: 'openid profile email read_user',
      code_challenge: generators.codeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const callback = client.callbackParams(await consentOf(user, url));
    const tokens = await client.callback(redirectUri, callback, { code_verifier: verifier, state, nonce });
    expect(tokens.claims()).toMatchObject({ sub: String(user.id), preferred_username: user.username });
    const info = await client.userinfo(tokens);
    expect(info).toMatchObject({ sub: String(user.id), email: `${user.username}@example.com` });

    const api = (token: string | undefined) =>
      ask('/api/v4/user', { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
    expect(await api(tokens.access_token)).toBe(200);
    const refreshed = await client.refresh(tokens);
    expect(await api(refreshed.access_token)).toBe(200);
    expect(await api(tokens.access_token)).toBe(401);
    expect(await client.introspect(refreshed.access_token!)).toMatchObject({ active: true });
    await client.revoke(refreshed.access_token!);
    expect(await api(refreshed.access_token)).toBe(401);
    await expect(client.refresh(refreshed.refresh_token!)).rejects.toThrow('invalid_grant');
  });

  it('reaches no further than its scopes', async () => {
    const url = client.authorizationUrl({ scope: 'read_user', state: 's' });
    const callback = client.callbackParams(await consentOf(user, url));
    const { access_token } = await client.oauthCallback(redirectUri, callback, { state: 's' });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await ask('/api/v4/user', { headers })).status).toBe(200);
    const refused = await ask('/api/v4/projects', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ name: 'x' }),
    });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: 'insufficient_scope' });
    expect((await ask('/oauth/userinfo', { headers })).status).toBe(403);
  });

  it('works by the password grant', async () => {
    const tokens = await client.grant({ grant_type: 'password', username: user.username, password: user.password });
    expect(tokens.access_token).toMatch(/^[0-9a-f]{64}$/);
    const info = await ask(`/oauth/token/info?access_token=${tokens.access_token}`);
    expect(await info.json()).toMatchObject({ resource_owner_id: user.id, scope: ['api'] });
    const wrong = client.grant({ grant_type: 'password', username: user.username, password: 'wrong' });
    await expect(wrong).rejects.toThrow('invalid_grant');
  });
});

describe('signing in with Passport', () => {
  it('works with its unmodified OAuth 2.0 strategy', async () => {
    const user = await newUser('guest');
    const { id, secret } = await registered();
    const options = {
      authorizationURL: `${connection.url}/oauth/authorize`,
      tokenURL: `${connection.url}/oauth/token`,
      clientID: id,
      clientSecret: secret,
      callbackURL: redirectUri,
      scope: ['api'],
    };
    const verify = (accessToken: string, _refresh: string, _profile: unknown, done: VerifyCallback) =>
      done(null, { accessToken });
    const run = (query: Record<string, string>): Promise<{ url?: string; user?: { accessToken: string } }> =>
      new Promise((resolve, reject) => {
        const strategy = new Strategy(options, verify);
        const outcomes = {
          redirect: (url: string) => resolve({ url }),
          success: (found: { accessToken: string }) => resolve({ user: found }),
          fail: (reason: unknown) => reject(new Error(JSON.stringify(reason))),
          error: reject,
        };
        Object.assign(strategy, outcomes);
        strategy.authenticate({ query, body: {}, headers: {}, connection: {} } as never, {});
      });
    const { url } = await run({});
    const back = new URL(await consentOf(user, url!));
    const { user: found } = await run(Object.fromEntries(back.searchParams));
    const seen = await ask('/api/v4/user', { headers: { authorization: `Bearer ${found!.accessToken}` } });
    expect(await seen.json()).toMatchObject({ id: user.id });
  });
});

describe('the provider', () => {
  it('returns errors in the form of RFC 6749, for any body', async () => {
    const none = await ask('/oauth/token', { method: 'POST' });
    expect([none.status, await none.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' });
    const unknown = await ask('/oauth/token', { method: 'POST', headers: json, body });
    expect([unknown.status, await unknown.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('shows an authorized application to its user, who can revoke it', async () => {
    const user = await newUser('guest');
    const { id, secret } = await registered('api');
    const query = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, response_type: 'code' });
    const code = new URL(await consentOf(user, `/oauth/authorize?${query}`)).searchParams.get('code')!;
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: id,
      client_secret: secret,
    };
    const issued = await ask('/oauth/token', { method: 'POST', body: new URLSearchParams(grant) });
    const { access_token } = (await issued.json()) as { access_token: string };
    const api = () => ask('/api/v4/user', { headers: { authorization: `Bearer ${access_token}` } });
    expect((await api()).status).toBe(200);
    const visitor = new PageVisitor();
    await visitor.signIn(user.username, user.password);
    const page = await (await visitor.load('/-/profile/applications')).text();
    expect(page).toContain('Chart tool');
    const revoke = page.slice(page.indexOf('action="/-/profile/applications/revoke"'));
    const fields = [...revoke.slice(0, revoke.indexOf('</form>')).matchAll(/name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams(fields.map(([, name, value]): [string, string] => [name!, value!]));
    expect((await visitor.load('/-/profile/applications/revoke', body)).status).toBe(200);
    expect((await api()).status).toBe(401);
  });
});
