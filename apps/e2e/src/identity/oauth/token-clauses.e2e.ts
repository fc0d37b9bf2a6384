import { ask } from '../../server/connection';
import {
  type Application,
  basic,
  basicOf,
  type Parameters,
  person,
  pkce,
  post,
  refused,
  register,
  Steps,
  statusWith,
  verifier,
} from './steps';

let user: Awaited<ReturnType<typeof person>>;
let steps: Steps;
let pub: Steps;
let other: Application;
beforeAll(async () => {
  user = await person();
  const [confidential, open, another] = await Promise.all([register(true), register(false), register(true)]);
  [steps, pub, other] = [new Steps(confidential, user.visitor), new Steps(open, user.visitor), another];
});

const code = { grant_type: 'authorization_code', redirect_uri: 'https://app.example/callback' };
const refresh = { grant_type: 'refresh_token' };
const ofItself = { grant_type: 'client_credentials' };
const byPassword = { grant_type: 'password' };

describe('client authentication', () => {
  it.each<[clause: string, sent: Parameters, status: number, error: string]>([
    ['RFC 6749 4.1.3', {}, 400, 'invalid_request'],
    ['RFC 6749 3.2', { grant_type: '' }, 400, 'invalid_request'],
    ['RFC 6749 5.2', { grant_type: 'telepathy' }, 400, 'unsupported_grant_type'],
    ['RFC 8628 3.4', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 400, 'unsupported_grant_type'],
    ['RFC 6749 4.1.3', { ...code }, 400, 'invalid_request'],
    ['RFC 6749 5.2', { ...code, code: 'unknown' }, 400, 'invalid_grant'],
    ['RFC 6749 6', { ...refresh }, 400, 'invalid_request'],
    ['RFC 6749 5.2', { ...refresh, refresh_token: 'unknown' }, 400, 'invalid_grant'],
    ['RFC 6749 4.3.2', { ...byPassword, username: 'nobody' }, 400, 'invalid_request'],
    ['RFC 6749 5.2', { ...byPassword, username: 'nobody', password: 'wrong' }, 400, 'invalid_grant'],
    ['RFC 6749 5.2', { ...ofItself, scope: 'sudo' }, 400, 'invalid_scope'],
    ['RFC 6749 5.2', { ...ofItself, client_secret: 'wrong' }, 401, 'invalid_client'],
    ['RFC 6749 5.2', { ...ofItself, client_secret: '' }, 401, 'invalid_client'],
    ['RFC 6749 5.2', { ...ofItself, client_id: 'unknown' }, 401, 'invalid_client'],
    ['RFC 6749 5.2', { ...code, code: 'unknown', client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('%s: %j is answered %i %s', async (_clause, sent, status, error) => {
    expect(await post('/oauth/token', { ...steps.application, ...sent })).toMatchObject(refused(status, error));
  });
});

it.each<[clause: string, given: (application: Application) => Parameters]>([
  ['RFC 6749 5.2', ({ client_id }) => basic(client_id, 'wrong')],
  ['RFC 6749 2.3.1', ({ client_secret }) => basic('unknown', client_secret)],
  ['RFC 6749 2.3.1', () => basic('%zz', '%zz')],
  ['RFC 7617 2', () => ({ authorization: 'Basic ***' })],
])('%s: a client that fails to prove itself by a header is challenged by it', async (_clause, given) => {
  const answer = await post('/oauth/token', ofItself, given(steps.application));
  expect(answer).toMatchObject(refused(401, 'invalid_client'));
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
});

it('RFC 6749 2.3: one proof of the client, and not two', async () => {
  const { client_id } = steps.application;
  const both = { ...ofItself, ...steps.application };
  expect(await post('/oauth/token', both, basicOf(steps.application))).toMatchObject(refused(400, 'invalid_request'));
  const another = { ...ofItself, client_id: other.client_id };
  expect(await post('/oauth/token', another, basicOf(steps.application))).toMatchObject(
    refused(400, 'invalid_request'),
  );
  expect((await post('/oauth/token', { ...ofItself, client_id }, basicOf(steps.application))).status).toBe(200);
});

it('RFC 6749 2.3.1: secrets are not read from the address', async () => {
  const query = new URLSearchParams({ ...steps.application, ...ofItself });
  expect(await post(`/oauth/token?${query}`, {})).toMatchObject(refused(400, 'invalid_request'));
});

it('RFC 6749 3.2: a repeated parameter is refused', async () => {
  for (const sent of ['grant_type=a&grant_type=b', 'grant_type[]=a', 'grant_type[a]=b']) {
    expect(await post('/oauth/token', sent)).toMatchObject(refused(400, 'invalid_request'));
  }
});

it.each([
  ['application/json', '{', 400],
  ['application/json', '[]', 400],
  ['application/json', '"grant_type"', 400],
  ['text/plain', 'grant_type=password', 400],
  ['application/x-www-form-urlencoded', 'grant_type=%zz', 400],
  ['application/x-www-form-urlencoded', `scope=${'x'.repeat(8 << 20)}`, 413],
])('RFC 6749 5.2: a body that cannot be read is reported in the same form (%s %.20s)', async (type, body, status) => {
  const answer = await ask('/oauth/token', { method: 'POST', body, headers: { 'content-type': type } });
  expect({ status: answer.status, body: await answer.json() }).toEqual(refused(status, 'invalid_request'));
});

it('RFC 6749 3.2: tokens are requested by POST', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

it('RFC 6749 5.1: tokens are returned as JSON that must not be cached', async () => {
  const { headers, body } = await steps.exchange(await steps.code({ scope: 'read_user' }));
  expect(['cache-control', 'pragma'].map((name) => headers.get(name))).toEqual(['no-store', 'no-cache']);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    token_type: 'bearer',
    expires_in: 7200,
    scope: 'read_user',
    created_at: expect.any(Number),
  });
  const refusal = await post('/oauth/token', {});
  expect(refusal.headers.get('cache-control')).toBe('no-store');
});

describe('a code', () => {
  it('RFC 6749 4.1.2: is valid once, and its second use revokes all its tokens', async () => {
    const given = await steps.code();
    const { body } = await steps.exchange(given);
    expect(await statusWith(body.access_token)).toBe(200);
    expect(await steps.exchange(given)).toMatchObject(refused(400, 'invalid_grant'));
    expect(await statusWith(body.access_token)).toBe(401);
    expect(await steps.refresh(body.refresh_token)).toMatchObject(refused(400, 'invalid_grant'));
  });

  it('RFC 6749 10.5: is exchanged once under concurrent requests', async () => {
    const given = await steps.code();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => steps.exchange(given)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(refused(400, 'invalid_grant'));
    }
  });

  it.each<[clause: string, over: () => Parameters]>([
    ['RFC 6749 4.1.3', () => ({ ...other })],
    ['RFC 6749 4.1.3', () => ({ ...pub.application, client_secret: '' })],
    ['RFC 6749 4.1.3', () => ({ redirect_uri: 'https://app.example/other' })],
    ['RFC 6749 4.1.3', () => ({ redirect_uri: '' })],
    ['RFC 9700 2.1.1, 4.8.2', () => ({ code_verifier: verifier })],
  ])('%s: is bound to its request', async (_clause, over) => {
    expect(await steps.exchange(await steps.code(), over())).toMatchObject(refused(400, 'invalid_grant'));
  });

  it('RFC 6749 3.3: grants no more than the user consented to', async () => {
    const { body } = await steps.exchange(await steps.code({ scope: 'read_user' }), { scope: 'api' });
    expect(body.scope).toBe('read_user');
  });

  it.each([pkce, { code_challenge: verifier, code_challenge_method: 'plain' }, { code_challenge: verifier }])(
    'RFC 7636 4.6: with a challenge (%j) is exchanged only with its verifier',
    async (challenge) => {
      const tried = async (code_verifier: string) =>
        pub.exchange(await pub.code(challenge), { code_verifier }, { client_id: pub.application.client_id });
      expect(await tried(verifier)).toMatchObject({ status: 200 });
      for (const wrong of ['', 'x'.repeat(43), pkce.code_challenge, verifier.toLowerCase()]) {
        expect(await tried(wrong)).toMatchObject(refused(400, 'invalid_grant'));
      }
    },
  );

  it('RFC 7636 4.1: is not exchanged with an invalid verifier', async () => {
    for (const code_verifier of ['short', 'x'.repeat(129), `${'x'.repeat(43)} `]) {
      const answer = await steps.exchange(await steps.code(pkce), { code_verifier });
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
    }
  });

  it('RFC 9700 2.1.1: with a challenge is not exchanged without a verifier, even with a secret', async () => {
    expect(await steps.exchange(await steps.code(pkce))).toMatchObject(refused(400, 'invalid_grant'));
    expect(await steps.exchange(await steps.code(pkce), { code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});

describe('a refresh token', () => {
  it('RFC 6749 6: never widens, and a request that tries changes nothing', async () => {
    const { refresh_token } = await steps.tokens('read_user openid');
    expect(await steps.refresh(refresh_token!, { scope: 'api' })).toMatchObject(refused(400, 'invalid_scope'));
    const narrowed = await steps.refresh(refresh_token!, { scope: 'read_user' });
    expect(narrowed).toMatchObject({ status: 200, body: { scope: 'read_user' } });
  });

  it('RFC 6749 6: keeps the scope if none is named', async () => {
    const { refresh_token } = await steps.tokens('read_user openid');
    expect((await steps.refresh(refresh_token!)).body.scope).toBe('read_user openid');
  });

  it('RFC 6749 6: is bound to its client, and others learn nothing of it', async () => {
    const { refresh_token } = await steps.tokens();
    for (const scope of ['', 'read_user', 'api']) {
      expect(await steps.refresh(refresh_token!, { scope }, other)).toMatchObject(refused(400, 'invalid_grant'));
    }
    expect(await steps.refresh(refresh_token!, {}, {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await steps.refresh(refresh_token!)).toMatchObject({ status: 200 });
  });

  it('RFC 6749 10.4, 9700 4.14.2: is new each time, and one used twice ends the whole grant', async () => {
    const first = await steps.tokens();
    const { body } = await steps.refresh(first.refresh_token!);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await statusWith(first.access_token!)).toBe(401);
    expect(await steps.refresh(first.refresh_token!)).toMatchObject(refused(400, 'invalid_grant'));
    expect(await statusWith(body.access_token)).toBe(401);
    expect(await steps.refresh(body.refresh_token)).toMatchObject(refused(400, 'invalid_grant'));
  });

  it('RFC 9700 4.14.2: is used once under concurrent requests', async () => {
    const { refresh_token } = await steps.tokens();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => steps.refresh(refresh_token!)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('RFC 6749 3.2.1: of a public application is used with its client id only', async () => {
    const { client_id } = pub.application;
    const { body } = await pub.exchange(await pub.code(pkce), { code_verifier: verifier }, { client_id });
    expect(await pub.refresh(body.refresh_token, {}, { client_id })).toMatchObject({ status: 200 });
  });
});

it('RFC 6749 4.3: the password grant is for users without a second factor', async () => {
  const { username, password } = user;
  const answer = await post('/oauth/token', { ...byPassword, ...steps.application, username, password });
  expect(answer).toMatchObject({ status: 200, body: { scope: 'api', refresh_token: expect.any(String) } });
});

it('RFC 6749 4.4: only confidential applications get a token without a user, and no refresh token', async () => {
  const { status, body } = await post('/oauth/token', { ...ofItself, ...steps.application });
  expect([status, body.refresh_token]).toEqual([200, undefined]);
  expect(await statusWith(body.access_token)).toBe(401);
  expect(await post('/oauth/token', { ...ofItself, ...pub.application })).toMatchObject(
    refused(400, 'unauthorized_client'),
  );
  const { client_id } = pub.application;
  expect(await post('/oauth/token', { ...ofItself, client_id })).toMatchObject(refused(401, 'invalid_client'));
});
