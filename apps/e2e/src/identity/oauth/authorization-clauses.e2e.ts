import { connection } from '../../server/connection';
import { PageVisitor } from '../page-visitor';
import { type Parameters, person, pkce, redirectUri, register, Steps } from './steps';

const nativeUris = ['http://127.0.0.1/cb', 'http://[::1]:1234/cb?x=1', 'http://localhost/cb', 'com.example.app:/cb'];

let steps: Steps;
let pub: Steps;
let native: Steps;
beforeAll(async () => {
  const { visitor } = await person();
  const of = async (isConfidential: boolean, uri: string, others: string[] = []) =>
    new Steps(await register(isConfidential, [uri, ...others].join('\n')), visitor, uri);
  [steps, pub, native] = await Promise.all([
    of(true, redirectUri),
    of(false, redirectUri),
    of(false, nativeUris[0]!, nativeUris.slice(1)),
  ]);
});

it.each<[clause: string, sent: Parameters, error: string]>([
  ['RFC 6749 3.1', { response_type: '' }, 'invalid_request'],
  ['RFC 6749 3.1.1', { response_type: 'code token' }, 'unsupported_response_type'],
  ['RFC 6749 4.1.2.1', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['RFC 6749 4.1.2.1', { scope: 'sudo' }, 'invalid_scope'],
  ['RFC 6749 3.3', { scope: 'api nonsense' }, 'invalid_scope'],
  ['RFC 7636 4.4.1', { code_challenge: 'short' }, 'invalid_request'],
  ['RFC 7636 4.4.1', { ...pkce, code_challenge_method: 'S512' }, 'invalid_request'],
  ['Multiple Response Types 2.1', { response_mode: 'web_message' }, 'invalid_request'],
  ['OpenID Core 3.1.2.1', { prompt: 'none login' }, 'invalid_request'],
  ['OpenID Core 3.1.2.1', { prompt: 'everything' }, 'invalid_request'],
  ['OpenID Core 3.1.2.1', { max_age: 'soon' }, 'invalid_request'],
  ['OpenID Core 3.1.2.1', { id_token_hint: 'a.b.c' }, 'invalid_request'],
  ['OpenID Core 3.1.2.6', { request: 'a.b.c' }, 'request_not_supported'],
  ['OpenID Core 3.1.2.6', { request_uri: 'https://a.example' }, 'request_uri_not_supported'],
  ['OpenID Core 3.1.2.6', { registration: '{}' }, 'registration_not_supported'],
])('%s: %j is reported to the application as %s, with state and issuer', async (_clause, sent, error) => {
  expect(await steps.authorized(sent)).toEqual({
    error,
    error_description: expect.any(String),
    state: 's',
    iss: connection.url,
  });
});

it.each<[clause: string, uri: string]>([
  ['RFC 6749 3.1.2.3', `${redirectUri}/`],
  ['RFC 6749 3.1.2.3', `${redirectUri}?x=1`],
  ['RFC 6749 3.1.2', `${redirectUri}#x`],
  ['RFC 6749 3.1.2.4', 'https://evil.example/callback'],
  ['RFC 6749 3.1.2.4', 'https://app.example.evil.example/callback'],
  ['RFC 6749 3.1.2.4', 'https://app.example@evil.example/callback'],
  ['RFC 6749 3.1.2.4', 'https://app.example:8443/callback'],
  ['RFC 6749 3.1.2.4', 'http://app.example/callback'],
  ['RFC 9700 4.1.3', 'https://app.example/callback/../evil'],
  ['RFC 9700 4.1.3', 'https://app.example/%63allback'],
  ['RFC 9700 4.1.3', 'https://app.example/CALLBACK'],
  ['RFC 9700 4.1.3', 'https://APP.example/callback'],
  ['RFC 6749 10.15', 'javascript:alert(1)'],
])('%s: nothing is sent to the unregistered address %s, not even an error', async (_clause, redirect_uri) => {
  for (const over of [{}, { scope: 'nonsense' }, { prompt: 'none' }]) {
    const page = await steps.visitor.load(steps.addressOf({ ...over, redirect_uri }));
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    expect(await page.text()).toContain('<a href="/">');
  }
});

it.each<[clause: string, uri: string, status: number]>([
  ['RFC 8252 7.3', 'http://127.0.0.1:49152/cb', 200],
  ['RFC 8252 7.3', 'http://127.0.0.1/cb', 200],
  ['RFC 8252 7.3', 'http://[::1]:8/cb?x=1', 200],
  ['RFC 8252 7.3', 'http://[::1]/cb?x=1', 200],
  ['RFC 8252 7.1', 'com.example.app:/cb', 200],
  ['RFC 8252 8.3', 'http://localhost/cb', 200],
  ['RFC 8252 8.3', 'http://localhost:49152/cb', 400],
  ['RFC 8252 7.3', 'http://127.0.0.1:49152/other', 400],
  ['RFC 8252 7.3', 'http://127.0.0.2:49152/cb', 400],
  ['RFC 8252 7.3', 'http://127.0.0.1:1@evil.example/cb', 400],
  ['RFC 8252 7.3', 'https://127.0.0.1:49152/cb', 400],
  ['RFC 8252 7.1', 'com.example.app2:/cb', 400],
])('%s: of an application on the user’s machine, %s is answered %i', async (_clause, redirect_uri, status) => {
  const page = await native.visitor.load(native.addressOf({ ...pkce, redirect_uri }));
  expect(page.status).toBe(status);
  if (status !== 200) return;
  const answer = await native.visitor.submit(page, { decision: 'authorize' });
  expect(answer.headers.get('location')).toMatch(/[?&]code=\w+&/);
  expect(answer.headers.get('location')!.startsWith(redirect_uri)).toBe(true);
});

it('RFC 6749 3.1: a repeated parameter is refused, and of the redirect URI nothing is sent', async () => {
  const page = await steps.visitor.load(`${steps.addressOf({ scope: 'api' })}&scope=email`);
  expect(page.headers.get('location')).toContain('error=invalid_request');
  const unclear = await steps.visitor.load(`${steps.addressOf()}&redirect_uri=https%3A%2F%2Fevil.example`);
  expect([unclear.status, unclear.headers.get('location')]).toEqual([400, null]);
});

it('RFC 6749 3.1: unknown and empty parameters are ignored', async () => {
  const empty = { prompt: '', code_challenge: '', resource: 'x', acr_values: '1', ui_locales: 'de', display: 'popup' };
  const query = new URLSearchParams({ ...empty, scope: 'read_user' });
  const page = await steps.visitor.load(`${steps.addressOf()}&${query}&claims=%7B%7D&x[y]=z`);
  expect((await steps.visitor.submit(page, { decision: 'authorize' })).headers.get('location')).toContain('code=');
});

it('RFC 6749 3.1.2: the query of a registered address is retained', async () => {
  const uri = 'https://app.example/cb?keep=1&x=%20%C3%BC';
  const back = await new Steps(await register(true, uri), steps.visitor, uri).ledTo();
  expect(back.href.startsWith(`${uri}&code=`)).toBe(true);
});

it('RFC 6749 3.1.2.3: the address may be omitted if there is one, and not if there are several', async () => {
  const page = await steps.visitor.load(steps.addressOf({ redirect_uri: undefined, scope: 'read_user' }));
  expect(page.status).not.toBe(400);
  const unclear = await native.visitor.load(native.addressOf({ ...pkce, redirect_uri: undefined }));
  expect([unclear.status, unclear.headers.get('location')]).toEqual([400, null]);
});

it.each(['a b+c&d=e%20#f', '"><script>', 'ü🙂؈', "'; --", 'x'.repeat(4000)])(
  'RFC 6749 4.1.2: the state is returned unchanged: %.20s',
  async (state) => {
    expect(await steps.authorized({ state, scope: 'read_user' })).toMatchObject({ state, code: expect.any(String) });
    expect(await steps.authorized({ state, scope: 'nonsense' })).toMatchObject({ state, error: 'invalid_scope' });
  },
);

it('RFC 6749 4.1.2.1: nothing is sent anywhere for an unknown client', async () => {
  for (const client_id of ['unknown', undefined]) {
    const page = await steps.visitor.load(steps.addressOf({ client_id }));
    expect([page.status, page.headers.get('location')]).toEqual([401, null]);
  }
});

it('RFC 6749 4.1.2.1: a refusal of the user is access_denied', async () => {
  const page = await steps.visitor.load(steps.addressOf({ prompt: 'consent' }));
  const { headers } = await steps.visitor.submit(page, { decision: 'deny' });
  const answer = Object.fromEntries(new URL(headers.get('location')!).searchParams);
  expect(answer).toMatchObject({ error: 'access_denied', state: 's', iss: connection.url });
  expect(answer).not.toHaveProperty('code');
});

it('RFC 6749 4.2.2: the implicit grant answers in the fragment, in any response mode, and never with a refresh token', async () => {
  for (const response_mode of ['', 'query', 'fragment']) {
    const back = await steps.ledTo({ response_type: 'token', scope: 'read_user', response_mode });
    expect(back.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(back.hash.slice(1)))).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: '7200',
      scope: 'read_user',
      state: 's',
      iss: connection.url,
    });
  }
  const { search, hash } = await steps.ledTo({ response_type: 'token', scope: 'nonsense' });
  expect([search, hash]).toEqual(['', expect.stringContaining('error=invalid_scope')]);
});

it('Form Post Response Mode 2: the answer is a form that is sent to the application only', async () => {
  const consent = await steps.visitor.load(steps.addressOf({ response_mode: 'form_post', prompt: 'consent' }));
  const shown = await steps.visitor.submit(consent, { decision: 'authorize' });
  const text = await shown.text();
  expect(text).toContain(`action="${redirectUri}"`);
  for (const name of ['code', 'state', 'iss']) expect(text).toContain(`<input type="hidden" name="${name}"`);
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
});

it('RFC 6749 10.12, 9700 4.7: a consent without the form of this browser is refused', async () => {
  const sent = new URL(steps.addressOf(), connection.url).searchParams;
  for (const csrf of ['x', '']) {
    const forged = new URLSearchParams({ ...Object.fromEntries(sent), decision: 'authorize', csrf });
    expect((await steps.visitor.load('/oauth/authorize', forged)).status).toBe(422);
  }
});

it('RFC 6749 10.13, 9700 4.16, 4.2.4: the consent page cannot be framed or cached, and sends no referrer', async () => {
  const { headers } = await steps.visitor.load(steps.addressOf({ prompt: 'consent' }));
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
});

it('RFC 7636 4.4.1, 9700 2.1.1: an application without a secret has to bring a challenge', async () => {
  expect(await pub.authorized()).toMatchObject({ error: 'invalid_request', state: 's' });
  expect(await pub.authorized(pkce)).toHaveProperty('code');
});

it('RFC 8252 8.6: an application that anybody could pose as is consented to each time', async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    const page = await pub.visitor.load(pub.addressOf({ ...pkce, scope: 'read_user' }));
    expect(page.status).toBe(200);
    await pub.visitor.submit(page, { decision: 'authorize' });
  }
});

it('RFC 9700 4.12: no redirect repeats a POST', async () => {
  const page = await steps.visitor.load(steps.addressOf({ prompt: 'consent' }));
  expect((await steps.visitor.submit(page, { decision: 'authorize' })).status).toBe(303);
});

it('OpenID Core 3.1.2.1: POST does as well as GET', async () => {
  const asked = new URL(steps.addressOf({ prompt: 'consent' }), connection.url).searchParams;
  const page = await steps.visitor.load('/oauth/authorize', asked);
  expect(await page.text()).toContain('Authorize Clauses?');
});

it('OpenID Core 3.1.2.1: prompt=none shows no page, whatever is missing', async () => {
  const stranger = new Steps(steps.application, new PageVisitor());
  expect(await stranger.authorized({ prompt: 'none' })).toMatchObject({ error: 'login_required', state: 's' });
  const fresh = new Steps(await register(true), steps.visitor);
  expect(await fresh.authorized({ prompt: 'none' })).toMatchObject({ error: 'consent_required' });
  await fresh.tokens('read_user');
  expect(await fresh.authorized({ prompt: 'none', scope: 'read_user' })).toHaveProperty('code');
  expect(await fresh.authorized({ prompt: 'none', scope: 'api' })).toMatchObject({ error: 'consent_required' });
});

it.each<Parameters>([{ prompt: 'login' }, { prompt: 'select_account' }, { prompt: 'login consent' }, { max_age: '0' }])(
  'OpenID Core 3.1.2.1: %j requires the password again',
  async (over) => {
    const page = await steps.visitor.load(steps.addressOf(over));
    expect(await page.text()).toContain('name="password"');
  },
);

it('OpenID Core 3.1.2.1: the expected user is in the form of the sign-in', async () => {
  const page = await new PageVisitor().load(steps.addressOf({ login_hint: 'jo"e@example.com' }));
  expect(await page.text()).toContain('value="jo&quot;e@example.com"');
});

it('OpenID Core 3.1.2.1: a code for openid is not issued without redirect_uri in the request', async () => {
  expect(await steps.authorized({ scope: 'openid', redirect_uri: '' })).toMatchObject({ error: 'invalid_request' });
});

it('RFC 9207 2: every answer names the issuer, in the query, the fragment and the form', async () => {
  for (const over of [{ scope: 'api' }, { scope: 'sudo' }, { response_type: 'token' }] as Parameters[]) {
    expect(await steps.authorized(over)).toHaveProperty('iss', connection.url);
  }
});
