import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { decode, verify } from 'jsonwebtoken';
import { ask, connection } from '../../server/connection';
import { basicOf, bearer, person, pkce, post, redirectUri, register, Steps, verifier } from './steps';

let user: Awaited<ReturnType<typeof person>>;
let steps: Steps;
beforeAll(async () => {
  user = await person();
  steps = new Steps(await register(true), user.visitor);
});

const json = async (path: string, init?: RequestInit) => (await ask(path, init)).json() as Promise<never>;
const publishedKeys = async () => (await json('/oauth/discovery/keys')) as { keys: (JsonWebKey & { kid: string })[] };

/** Claims of an id token, after its signature is verified with the key that it names. */
async function claimsOf(idToken: string): Promise<Record<string, unknown>> {
  const { header } = decode(idToken, { complete: true })!;
  const jwk = (await publishedKeys()).keys.find(({ kid }) => kid === header.kid)!;
  expect(header).toMatchObject({ alg: 'RS256', typ: 'JWT' });
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const expected = { algorithms: ['RS256' as const], issuer: connection.url, audience: steps.application.client_id };
  return verify(idToken, key, expected) as Record<string, unknown>;
}

describe('an id token', () => {
  it('OpenID Core 2, 3.1.3.3, 3.1.3.6: is signed, and contains user, time, method, issuer, audience and nonce', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { access_token, id_token } = await steps.tokens('openid', { nonce: 'n-"ü"' });
    const claims = await claimsOf(id_token!);
    expect(claims).toEqual({
      iss: connection.url,
      aud: steps.application.client_id,
      sub: String(user.id),
      nonce: 'n-"ü"',
      iat: expect.any(Number),
      exp: expect.any(Number),
      auth_time: expect.any(Number),
      at_hash: createHash('sha256').update(access_token!).digest().subarray(0, 16).toString('base64url'),
    });
    const [iat, exp, authTime] = [claims.iat, claims.exp, claims.auth_time].map(Number) as [number, number, number];
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(exp).toBeGreaterThan(iat);
    expect(authTime).toBeLessThanOrEqual(iat);
  });

  it('OpenID Core 3.1.2.1: is issued with the scope openid, and not without', async () => {
    expect(await steps.tokens('read_user')).not.toHaveProperty('id_token');
    expect(await claimsOf((await steps.tokens('openid')).id_token!)).not.toHaveProperty('nonce');
  });

  it('OpenID Core 12.2: after a refresh is about the same user, without a nonce', async () => {
    const first = await steps.tokens('openid', { nonce: 'n' });
    const { body } = await steps.refresh(first.refresh_token!);
    const [before, after] = [await claimsOf(first.id_token!), await claimsOf(body.id_token)];
    expect(after).toMatchObject({ iss: before.iss, sub: before.sub, aud: before.aud });
    expect(after).not.toHaveProperty('nonce');
    expect([before.auth_time, undefined]).toContain(after.auth_time);
  });

  it('OpenID Core 3.1.2.1: of the same user is accepted as a hint, and one of another user is not', async () => {
    const { id_token } = await steps.tokens('openid');
    const asked = { prompt: 'none', scope: 'openid', id_token_hint: id_token! };
    expect(await steps.authorized(asked)).toHaveProperty('code');
    const stranger = new Steps(steps.application, (await person()).visitor);
    await stranger.tokens('openid');
    expect(await stranger.authorized(asked)).toMatchObject({ error: 'login_required' });
    const [head, body] = id_token!.split('.');
    expect(await steps.authorized({ ...asked, id_token_hint: `${head}.${body}.` })).toMatchObject({
      error: 'invalid_request',
    });
  });
});

describe('userinfo', () => {
  it.each<[scope: string, claims: string[]]>([
    ['openid', ['sub']],
    ['openid email', ['sub', 'email', 'email_verified']],
    ['openid profile', ['sub', 'name', 'nickname', 'preferred_username', 'profile', 'updated_at']],
  ])(
    'OpenID Core 5.3, 5.4: returns for %s these claims, as the id token does, by GET and POST',
    async (scope, names) => {
      const { access_token, id_token } = await steps.tokens(scope);
      for (const method of ['GET', 'POST']) {
        const answer = await ask('/oauth/userinfo', { method, ...bearer(access_token!) });
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
        const info = (await answer.json()) as Record<string, unknown>;
        expect(Object.keys(info).filter((name) => name !== 'picture')).toEqual(names);
        expect(await claimsOf(id_token!)).toMatchObject(info);
      }
    },
  );
});

it('RFC 7517 4, 9.2: keys are published without their private half', async () => {
  const { keys } = await publishedKeys();
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  for (const key of keys) {
    expect(key).toEqual({
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: expect.any(String),
      n: expect.any(String),
      e: 'AQAB',
    });
  }
});

describe.each([
  ['OpenID Discovery 3', '/.well-known/openid-configuration'],
  ['RFC 8414 3', '/.well-known/oauth-authorization-server'],
])('%s', (_clause, path) => {
  let found: Record<string, string> & Record<string, string[]>;
  beforeAll(async () => {
    found = await json(path);
  });

  it('names the issuer of its own address, and has the required fields', async () => {
    expect(found).toMatchObject({
      issuer: connection.url,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: expect.arrayContaining(['S256']),
      scopes_supported: expect.arrayContaining(['openid']),
    });
    expect((await ask(path)).headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('names existing endpoints', async () => {
    const names = Object.keys(found).filter((name) => name.endsWith('_endpoint') || name === 'jwks_uri');
    expect(names.length).toBeGreaterThanOrEqual(6);
    for (const name of names) {
      expect(found[name]!.startsWith(`${connection.url}/`)).toBe(true);
      expect((await ask(new URL(found[name]!).pathname)).status).not.toBe(404);
    }
  });

  it('names supported grants, response types and modes', async () => {
    for (const grant_type of found.grant_types_supported!.filter((name) => name !== 'implicit')) {
      const { body } = await post('/oauth/token', { ...steps.application, grant_type });
      expect(body.error).not.toBe('unsupported_grant_type');
    }
    for (const response_type of found.response_types_supported!) {
      expect(await steps.authorized({ response_type })).not.toHaveProperty('error');
    }
    for (const response_mode of found.response_modes_supported!) {
      const page = await steps.visitor.load(steps.addressOf({ response_mode }));
      expect(page.headers.get('location') ?? '').not.toContain('error=');
    }
  });

  it('names methods by which a client proves itself', async () => {
    const { client_id } = await register(false);
    const pub = new Steps({ client_id, client_secret: '' }, user.visitor);
    const ways: Record<string, () => Promise<{ status: number }>> = {
      client_secret_basic: async () => {
        const grant = { grant_type: 'authorization_code', redirect_uri: redirectUri, code: await steps.code() };
        return post('/oauth/token', grant, basicOf(steps.application));
      },
      client_secret_post: async () => steps.exchange(await steps.code()),
      none: async () => pub.exchange(await pub.code(pkce), { code_verifier: verifier }),
    };
    expect(Object.keys(ways)).toEqual(found.token_endpoint_auth_methods_supported);
    for (const way of Object.values(ways)) expect((await way()).status).toBe(200);
  });
});
