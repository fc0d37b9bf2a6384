import {
  authenticateBasic,
  commonErrors,
  getCurrentJob,
  getVersion,
  introspectToken,
  issueToken,
  jobTokenUser,
  revokeOauthToken,
  userInfo,
} from '@moothall/contracts';
import { callerNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

let gateway: GatewayUnderTest;
const received: unknown[] = [];

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ MAX_BODY: '10KB' });
  gateway.knowCaller('ada-token', callerNamed('ada', { scopes: ['api'] }));
  gateway.knowCaller('openid-token', callerNamed('cleo', { scopes: ['openid'] }));
  gateway.knowCaller('profile-token', callerNamed('bea', { scopes: ['profile'] }));
  for (const operation of [issueToken, revokeOauthToken, introspectToken]) {
    gateway.stubs.respond(operation, (input) => {
      received.push(input);
      if ('scope' in input && input.scope === 'busy') return commonErrors.tooManyRequests();
      return '{}';
    });
  }
  gateway.stubs.respond(getVersion, () => ({ version: '13.5.0', revision: 'abc' }));
  gateway.stubs.respond(getCurrentJob, () => commonErrors.unauthorized());
  gateway.stubs.respond(authenticateBasic, ({ username, password }) => {
    if (username !== jobTokenUser || password === 'unknown') return commonErrors.unauthorized();
    const credential = password === 'running-job' ? 'job_token' : 'personal_access_token';
    return { caller: callerNamed('job', { credential, scopes: ['read_repository'] }), expires_at: null };
  });
});
afterAll(() => gateway.stop());

const form = (fields: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: fields,
});

// RFC 6749 3.2 and 5.2, for refusals of the gateway itself.
describe.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])('%s', (path) => {
  it.each([
    ['a repeated parameter', form('client_id=a&client_id=b'), 400, 'invalid_request'],
    ['JSON that is none', { ...form('{'), headers: { 'content-type': 'application/json' } }, 400, 'invalid_request'],
    ['a body of another type', { ...form('<a/>'), headers: { 'content-type': 'text/xml' } }, 415, 'invalid_request'],
    ['a body too large', form(`client_id=${'a'.repeat(20_000)}`), 413, 'invalid_request'],
  ])('refuses %s as OAuth does', async (_, init, status, error) => {
    const response = await gateway.fetch(path, init);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { error, error_description: expect.any(String) },
    });
  });

  it('reads nothing from the address', async () => {
    received.length = 0;
    await gateway.fetch(`${path}?client_secret=s&token=t&code=c&client_id=x`, form('client_id=a'));
    expect(received).toEqual([{ client_id: 'a' }]);
  });
});

it('a busy token endpoint answers as OAuth defines', async () => {
  const response = await gateway.fetch('/oauth/token', form('scope=busy'));
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' });
});

// RFC 6750 3 and 3.1.
describe('the challenge', () => {
  beforeAll(() => gateway.stubs.respond(userInfo, () => ({ sub: '1' })));

  it.each(['profile-token', 'ada-token'])('names the scope that would do: %s reaches other things', async (token) => {
    const response = await gateway.fetch('/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope".*scope="openid"$/);
  });

  it('contains invalid_token for an unknown token, only in the header', async () => {
    const response = await gateway.fetch('/api/v4/version', { headers: { authorization: 'Bearer unknown' } });
    expect([response.status, await response.json()]).toEqual([401, { message: '401 Unauthorized' }]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  });

  it('has no error for a caller without credentials', async () => {
    const response = await gateway.fetch('/oauth/userinfo');
    expect({ status: response.status, challenge: response.headers.get('www-authenticate') }).toEqual({
      status: 401,
      challenge: 'Bearer realm="The API"',
    });
  });

  it('is not sent for a token in two places: that request is malformed', async () => {
    const init = {
      ...form('access_token=openid-token'),
      headers: { ...form('').headers, authorization: 'Bearer openid-token' },
    };
    expect((await gateway.fetch('/oauth/userinfo', init)).status).toBe(400);
  });
});

// A given credential decides; a wrong one is not treated as anonymous.
describe('a job token', () => {
  const shown = (token: string): { headers?: Record<string, string>; query?: string }[] => [
    { headers: { 'job-token': token } },
    { query: `?job_token=${token}` },
  ];

  it.each([
    ['unknown', 401],
    ['a-personal-token', 401],
    ['running-job', 403],
  ])('%s is answered %i if it gives no access', async (token, status) => {
    for (const { headers = {}, query = '' } of shown(token)) {
      const answer = await gateway.fetch(`/api/v4/version${query}`, { headers });
      expect(answer.status).toBe(status);
      const open = await gateway.fetch(`/api/v4/users/1/keys${query}`, { headers });
      expect(open.status).toBe(status);
    }
  });

  it('is accepted only by operations for jobs', async () => {
    expect(await gateway.fetch('/api/v4/job', { headers: { 'job-token': 'unknown' } })).toMatchObject({ status: 401 });
    expect(await gateway.fetch('/api/v4/job', { headers: { 'job-token': 'running-job' } })).toMatchObject({
      status: 401,
    });
  });
});
