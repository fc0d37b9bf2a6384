import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { authenticationErrors, type Caller, commonErrors } from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';
import { callerNamed, contextOf } from '@moothall/testing';
import { verify } from 'jsonwebtoken';
import { createSelfSignedCertificate, identityFromDN, parsePrivateKey } from 'sshpk';
import type { GrantedAccess } from '../signing/sign-token';
import { readSigningKey } from '../signing/signing-key';
import type { GrantAccess } from './grant-access';
import { IssueToken } from './issue-token';

const pemOf = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
const certificateOf = (pem: string) =>
  createSelfSignedCertificate(identityFromDN('CN=moothall'), parsePrivateKey(pem)).toBuffer('pem').toString();

const pem = pemOf();
const certificate = certificateOf(pem);
const key = readSigningKey(`${pem}${certificate}`);
const ada = callerNamed('ada');
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

interface Setting {
  identity?: (credential: { username: string; password: string; ip?: string }) => Promise<{ caller: Caller }>;
  granted?: GrantedAccess[];
  hasKey?: boolean;
}

function issuing({ identity = async () => ({ caller: ada }), granted = [], hasKey = true }: Setting = {}) {
  const client = { call: (_operation: unknown, input: never) => identity(input) } as unknown as OperationClient;
  const asked: unknown[] = [];
  const access = {
    grant: async (scopes: unknown, caller: Caller | undefined) => {
      asked.push({ scopes, caller: caller?.username });
      return granted;
    },
  } as unknown as GrantAccess;
  const operation = new IssueToken(client, access, hasKey ? { key } : {});
  const ask = async (input: object = {}, authorization?: string) => {
    const context = contextOf({ client: { ip: '10.0.0.7', userAgent: '', authorization } });
    const { body, options } = await operation.handle(context, { service: 'container_registry', ...input });
    return { status: options.status, headers: options.headers, body: JSON.parse(body) };
  };
  return { ask, asked };
}

const pull = { type: 'repository', name: 'group/app', actions: ['pull'] };

describe('a token', () => {
  it('has the form of the distribution registry', async () => {
    const { ask } = issuing({ granted: [pull] });
    const beganAt = Math.floor(Date.now() / 1000);
    const { status, headers, body } = await ask({ scope: 'repository:group/app:pull,push' }, basic('ada', 'secret'));
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(body).toEqual({ token: expect.any(String), expires_in: 300, issued_at: expect.any(String) });

    const { publicKey } = new X509Certificate(certificate);
    const options = {
      algorithms: ['RS256' as const],
      audience: 'container_registry',
      issuer: 'moothall',
      complete: true,
    };
    const { header, payload } = verify(body.token, publicKey, options as never) as never as Record<string, any>;
    expect(header).toEqual({
      typ: 'JWT',
      alg: 'RS256',
      x5c: [new X509Certificate(certificate).raw.toString('base64')],
    });
    expect(payload).toEqual({
      iss: 'moothall',
      sub: 'ada',
      aud: 'container_registry',
      iat: Math.floor(Date.parse(body.issued_at) / 1000),
      nbf: payload.iat - 5,
      exp: payload.iat + 300,
      jti: expect.any(String),
      access: [pull],
    });
    expect(payload.iat).toBeGreaterThanOrEqual(beganAt);
  });

  it('is another one each time', async () => {
    const { ask } = issuing();
    const [one, other] = [await ask({}, basic('ada', 'x')), await ask({}, basic('ada', 'x'))];
    expect(one.body.token).not.toBe(other.body.token);
  });

  it('gives no access if nothing is allowed to the user, without an error', async () => {
    const { status, body } = await issuing().ask({ scope: 'repository:group/app:push' }, basic('ada', 'x'));
    expect(status).toBe(200);
    expect(JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString()).access).toEqual([]);
  });

  it('is issued anonymously if something is allowed', async () => {
    const { ask, asked } = issuing({ granted: [pull] });
    const { status, body } = await ask({ scope: ['repository:group/app:pull'] });
    expect(status).toBe(200);
    expect(asked).toEqual([{ scopes: [{ type: 'repository', name: 'group/app', actions: ['pull'] }] }]);
    expect(JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString())).toMatchObject({ sub: '' });
  });
});

describe('a refusal', () => {
  const scope = 'repository:group/app:pull';
  const refusing = (error: Error) => issuing({ identity: async () => Promise.reject(error) });

  it.each([
    ['an unknown credential', commonErrors.unauthorized()],
    ['a revoked token', authenticationErrors.revoked()],
    ['an expired token', authenticationErrors.expired()],
  ])('of %s', async (_, error) => {
    expect(await refusing(error).ask({ scope }, basic('ada', 'x'))).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
      body: { errors: [{ code: 'UNAUTHORIZED', message: 'HTTP Basic: Access denied' }] },
    });
  });

  it.each(['Bearer abc', 'Basic', 'Basic ???', `Basic ${Buffer.from('no-colon').toString('base64')}`, 'x'])(
    'of an invalid credential never becomes anonymous access: %s',
    async (authorization) => {
      const { ask, asked } = issuing({ granted: [pull] });
      expect(await ask({ scope }, authorization)).toMatchObject({ status: 401 });
      expect(asked).toEqual([]);
    },
  );

  const denial = { status: 403, body: { errors: [{ code: 'DENIED', message: 'access forbidden' }] } };

  it('of a blocked user', async () => {
    expect(await refusing(authenticationErrors.blocked()).ask({ scope }, basic('ada', 'x'))).toMatchObject(denial);
  });

  it('of an anonymous caller without any access', async () => {
    expect(await issuing().ask({ scope })).toMatchObject(denial);
    expect(await issuing().ask()).toMatchObject(denial);
  });

  it('of a token that is not for images', async () => {
    const caller = { ...ada, scopes: ['read_user' as const] };
    const { ask, asked } = issuing({ identity: async () => ({ caller }), granted: [pull] });
    expect(await ask({ scope }, basic('ada', 'x'))).toMatchObject(denial);
    expect(asked).toEqual([]);
  });

  it.each([
    ['another service', {}, { service: 'other' }],
    ['no service', {}, { service: undefined }],
    ['a registry that is not there', { hasKey: false }, {}],
  ])('of %s', async (_, setting, input) => {
    const answer = await issuing(setting).ask({ scope, ...input }, basic('ada', 'x'));
    expect(answer).toMatchObject({ status: 404, body: { errors: [{ code: 'UNAVAILABLE' }] } });
  });

  it('does not happen if identity does not answer: then the answer is 503', async () => {
    await expect(refusing(commonErrors.unavailable()).ask({ scope }, basic('ada', 'x'))).rejects.toThrow(
      'common.unavailable',
    );
  });
});

it('hands on the whole password, and from where', async () => {
  const given: unknown[] = [];
  const identity = async (credential: unknown) => {
    given.push(credential);
    return { caller: ada };
  };
  const { ask } = issuing({ identity });
  await ask({}, basic('ada', 'with:colons:ä'));
  await ask({}, basic('', 'token-alone'));
  expect(given).toEqual([
    { username: 'ada', password: 'with:colons:ä', ip: '10.0.0.7' },
    { username: '', password: 'token-alone', ip: '10.0.0.7' },
  ]);
});

describe('the key', () => {
  it('has its certificate first, and optionally a chain', () => {
    const other = certificateOf(pemOf());
    expect(readSigningKey(`${certificate}${other}${pem}`).x5c).toHaveLength(2);
    expect(() => readSigningKey(`${other}${certificate}${pem}`)).toThrow(/of another key/);
  });

  it('is refused without a certificate, or with another kind', () => {
    expect(() => readSigningKey(pem)).toThrow(/no certificate/);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ec = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => readSigningKey(`${ec}${certificate}`)).toThrow(/no RSA key/);
  });
});
