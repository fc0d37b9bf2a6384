import { ask, root } from '../../server/connection';
import {
  type Application,
  basicOf,
  bearer,
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

const asForm = (fields: Parameters, headers: Parameters = {}) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers,
});
const challengeOf = ({ headers }: Response) => headers.get('www-authenticate');

describe('using a token', () => {
  it('RFC 6750 2.1, 2.2, 2.3: is accepted in the header, a form and the query', async () => {
    const { access_token } = await steps.tokens('openid');
    const sent: [string, RequestInit?][] = [
      ['/oauth/userinfo', bearer(access_token!)],
      ['/oauth/userinfo', { headers: { authorization: `bEaReR ${access_token}` } }],
      ['/oauth/userinfo', asForm({ access_token: access_token! })],
      [`/oauth/userinfo?access_token=${access_token}`],
    ];
    for (const [path, init] of sent) {
      const answer = await ask(path, init);
      expect([answer.status, await answer.json()]).toEqual([200, { sub: String(user.id) }]);
    }
  });

  it('RFC 6750 2.3, 5.3: answers must not be stored by shared caches', async () => {
    const { access_token } = await steps.tokens('openid read_user');
    for (const path of ['/api/v4/user', '/oauth/userinfo']) {
      const answer = await ask(`${path}?access_token=${access_token}`);
      expect(answer.headers.get('cache-control')).toMatch(/private|no-store/);
    }
  });

  it('RFC 6750 2: a token in two places is a malformed request', async () => {
    const { access_token } = await steps.tokens('openid');
    const twice = asForm({ access_token: access_token! }, bearer(access_token!).headers);
    expect((await ask('/oauth/userinfo', twice)).status).toBe(400);
  });

  it('RFC 6750 3: without a token the challenge names the scheme, and no error', async () => {
    const answer = await ask('/oauth/userinfo');
    expect([answer.status, challengeOf(answer)]).toEqual([401, 'Bearer realm="The API"']);
  });

  it.each([
    ['unknown', async () => 'f'.repeat(64)],
    ['malformed', async () => 'not+a/token=='],
    ['of the wrong kind', async () => (await steps.tokens()).refresh_token!],
    ['revoked', async () => revokedToken()],
  ])('RFC 6750 3.1: a token that is %s is invalid_token', async (_, token) => {
    const value = await token();
    for (const path of ['/oauth/userinfo', '/api/v4/user']) {
      const answer = await ask(path, bearer(value));
      expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringMatching(/^Bearer .*"invalid_token"/)]);
    }
  });

  async function revokedToken(): Promise<string> {
    const { access_token } = await steps.tokens();
    await post('/oauth/revoke', { ...steps.application, token: access_token! });
    return access_token!;
  }

  it('RFC 6750 3.1: a scope that is missing is 403 with its name in the challenge', async () => {
    const { access_token } = await steps.tokens('read_user');
    const answer = await ask('/oauth/userinfo', bearer(access_token!));
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toMatch(/^Bearer .*error="insufficient_scope".*scope="openid"/);
    const write = await ask('/api/v4/projects', { ...asForm({ name: 'x' }), ...bearer(access_token!) });
    expect([write.status, challengeOf(write)]).toEqual([403, expect.stringContaining('insufficient_scope')]);
  });

  it('v4: its info page is for the token itself, in header or query', async () => {
    const { access_token } = await steps.tokens();
    for (const answer of [
      await ask('/oauth/token/info', bearer(access_token!)),
      await ask(`/oauth/token/info?access_token=${access_token}`),
    ]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await answer.json()).toMatchObject({ resource_owner_id: user.id, scope: ['read_user'] });
    }
    const unknown = await ask('/oauth/token/info', bearer('unknown'));
    expect([unknown.status, challengeOf(unknown)]).toEqual([401, expect.stringContaining('"invalid_token"')]);
  });
});

describe('revocation', () => {
  it('RFC 7009 2.1: names a token and its client', async () => {
    const { access_token: token } = await steps.tokens();
    const tried = (fields: Parameters) => post('/oauth/revoke', fields);
    expect(await tried({ ...steps.application })).toMatchObject(refused(400, 'invalid_request'));
    expect(await tried({ token: token! })).toMatchObject(refused(401, 'invalid_client'));
    const wrong = { ...steps.application, client_secret: 'wrong' };
    expect(await tried({ token: token!, ...wrong })).toMatchObject(refused(401, 'invalid_client'));
    expect(await tried({ token: token!, ...other })).toMatchObject(refused(403, 'unauthorized_client'));
    expect(await statusWith(token!)).toBe(200);
    expect(await tried({ token: token!, ...steps.application })).toMatchObject({ status: 200, body: {} });
    expect(await statusWith(token!)).toBe(401);
  });

  it.each(['access_token', 'refresh_token', 'something_else', ''])(
    'RFC 7009 2.1: of a refresh token also revokes the access token, with any hint (%s)',
    async (token_type_hint) => {
      const { access_token, refresh_token } = await steps.tokens();
      await post('/oauth/revoke', { token: refresh_token!, token_type_hint }, basicOf(steps.application));
      expect(await statusWith(access_token!)).toBe(401);
      expect(await steps.refresh(refresh_token!)).toMatchObject(refused(400, 'invalid_grant'));
    },
  );

  it('RFC 7009 2.1: of an access token also revokes its refresh token', async () => {
    const { access_token, refresh_token } = await steps.tokens();
    await post('/oauth/revoke', { token: access_token!, ...steps.application });
    expect(await steps.refresh(refresh_token!)).toMatchObject(refused(400, 'invalid_grant'));
  });

  it('RFC 7009 2.1: by a public application needs its client id only', async () => {
    const { client_id } = pub.application;
    const { body } = await pub.exchange(await pub.code(pkce), { code_verifier: verifier }, { client_id });
    expect(await post('/oauth/revoke', { token: body.access_token, client_id })).toMatchObject({ status: 200 });
    expect((await ask('/oauth/userinfo', bearer(body.access_token))).status).toBe(401);
  });

  it('RFC 7009 2.2: an unknown token is as good as revoked, and so is one revoked before', async () => {
    const { access_token } = await steps.tokens();
    for (const token of ['unknown', access_token!, access_token!]) {
      expect(await post('/oauth/revoke', { token, ...steps.application })).toMatchObject({ status: 200 });
    }
  });
});

describe('introspection', () => {
  const introspected = (token: string, application = steps.application) =>
    post('/oauth/introspect', { token }, basicOf(application));

  it('RFC 7662 2.1: names a token, and proves the client', async () => {
    expect(await post('/oauth/introspect', { ...steps.application })).toMatchObject(refused(400, 'invalid_request'));
    expect(await post('/oauth/introspect', { token: 'x' })).toMatchObject(refused(401, 'invalid_client'));
    const { client_id } = pub.application;
    expect(await post('/oauth/introspect', { token: 'x', client_id })).toMatchObject(refused(401, 'invalid_client'));
  });

  it('RFC 7662 2.2: returns the facts of a token, and must not be cached', async () => {
    const { access_token, refresh_token } = await steps.tokens('openid read_user');
    const { body, headers } = await introspected(access_token!);
    expect(body).toEqual({
      active: true,
      scope: 'openid read_user',
      client_id: steps.application.client_id,
      token_type: 'bearer',
      exp: body.iat + 7200,
      iat: expect.any(Number),
      sub: String(user.id),
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await introspected(refresh_token!)).body).toMatchObject({ active: true, sub: String(user.id) });
  });

  it('RFC 7662 2.2: tokens of others, unknown and revoked ones are only inactive', async () => {
    const { access_token, refresh_token } = await steps.tokens();
    for (const token of [access_token!, refresh_token!, 'unknown', user.token]) {
      expect(await introspected(token, other)).toMatchObject({ status: 200, body: { active: false } });
    }
    await steps.refresh(refresh_token!);
    for (const token of [access_token!, refresh_token!]) {
      expect((await introspected(token)).body).toEqual({ active: false });
    }
  });

  it('RFC 7662 2.2: a token of a blocked user is not active', async () => {
    const blocked = await person();
    const theirs = new Steps(steps.application, blocked.visitor);
    const { access_token, refresh_token } = await theirs.tokens();
    await root.Users.block(blocked.id);
    for (const token of [access_token!, refresh_token!]) {
      expect((await introspected(token)).body).toEqual({ active: false });
    }
    expect(await steps.refresh(refresh_token!)).toMatchObject(refused(400, 'invalid_grant'));
  });
});
