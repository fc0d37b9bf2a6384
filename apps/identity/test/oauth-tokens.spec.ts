import { createPublicKey } from 'node:crypto';
import {
  blockUser,
  deleteApplication,
  enableTwoFactor,
  introspectToken,
  issueToken,
  openidConfiguration,
  registerApplication,
  removeApplication,
  revokeAuthorization,
  revokeOauthToken,
  showApplications,
  showTwoFactor,
  signingKeys,
  tokenInfo,
  userInfo,
} from '@moothall/contracts';
import { itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { verify } from 'jsonwebtoken';
import { Secret, TOTP } from 'otpauth';
import { hiddenFields } from './browser';
import { basicOf, consent, oauthOf, redirect_uri } from './oauth-steps';
import { asAdministrator, callerFor, failure, makeToken, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());
const { register, signedIn, ask, authorized, holderOf } = oauthOf(identity);

describe('refreshing', () => {
  const refresh = (refresh_token: string, application: object) =>
    ask(issueToken, { grant_type: 'refresh_token', refresh_token, ...application });

  it('returns a new pair and revokes the old one', async () => {
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

  // A refused request changes nothing.
  it('with a scope that was not granted is refused, and the token remains valid', async () => {
    const { application, tokens } = await authorized('read_user');
    const wider = await refresh(tokens.refresh_token, { ...application, scope: 'read_user api' });
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    await expect(holderOf(tokens.access_token)).resolves.toBeDefined();
    expect(await refresh(tokens.refresh_token, { ...application, scope: 'read_user' })).toMatchObject({ status: 200 });
  });

  it('is refused for other applications, and for blocked users', async () => {
    const { application, tokens, user } = await authorized();
    const { id: _id, ...other } = await register();
    expect(await refresh(tokens.refresh_token, other)).toMatchObject({ body: { error: 'invalid_grant' } });
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    expect(await refresh(tokens.refresh_token, application)).toMatchObject({ body: { error: 'invalid_grant' } });
  });
});

describe('other grants', () => {
  it('implicit: the token is in the fragment, without a refresh token', async () => {
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

  it('password: not for blocked users, users with a second factor, or a wrong password', async () => {
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

  it('client credentials: a token without a user', async () => {
    const { id: _id, ...application } = await register();
    const { status, body } = await ask(issueToken, { grant_type: 'client_credentials', ...application });
    expect({ status, refresh: body.refresh_token }).toEqual({ status: 200, refresh: undefined });
    await expect(holderOf(body.access_token)).rejects.toEqual(failure({ code: 'common.unauthorized' }));
  });

  it('client credentials: not for public applications', async () => {
    const { id: _id, ...application } = await register({ confidential: false });
    const answer = await ask(issueToken, { grant_type: 'client_credentials', ...application });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
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
  it('show their scopes', async () => {
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

  // RFC 7009 2.1, RFC 7662 2.1, RFC 6749 2.3 and 5.2.
  it.each([['revoke', revokeOauthToken] as const, ['introspect', introspectToken] as const])(
    'are requested at %s with exactly one authentication of the client, and by name',
    async (_, operation) => {
      const { client_id, client_secret } = await register();
      const basic = basicOf(client_id, client_secret);
      expect(await ask(operation, {}, basic)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      for (const authorization of [basicOf('%zz', 'x'), basicOf(client_id, 'wrong'), 'Basic', 'Basic !!']) {
        const { status, headers, body } = await ask(operation, { token: 'x' }, authorization);
        expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' });
        expect(headers!['www-authenticate']).toMatch(/^Basic /);
      }
      expect(await ask(operation, { token: 'x', client_secret }, basic)).toMatchObject({ status: 401 });
    },
  );

  it('to refresh with are shown as good until they are used', async () => {
    const { application, tokens } = await authorized();
    const token = tokens.refresh_token;
    const { body } = await ask(introspectToken, { token, ...application });
    expect(body).toMatchObject({ active: true, client_id: application.client_id });
    expect(body).not.toHaveProperty('exp');
    await ask(issueToken, { grant_type: 'refresh_token', refresh_token: token, ...application });
    expect((await ask(introspectToken, { token, ...application })).body).toEqual({ active: false });
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
    expect(body).toContain('Build &lt;Server>');
    await browser.ask(revokeAuthorization, { application: String(id), csrf: hiddenFields(body).csrf });
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    expect((await browser.ask(showApplications, {})).body).not.toContain('Build &lt;Server>');
  });

  it('end with their application', async () => {
    const { id, tokens } = await authorized();
    await identity.client.call(deleteApplication, { id }, asAdministrator);
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  });

  // If the first attempt may have removed it, a second one that finds nothing is fine.
  itWithoutFaults('have no missing application to delete', async () => {
    await expect(identity.client.call(deleteApplication, { id: 999_999 }, asAdministrator)).rejects.toEqual(
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
    const application = /action="\/-\/profile\/applications\/delete">.*?name="application" value="(\d+)"/s.exec(
      (await browser.ask(showApplications, {})).body,
    )![1]!;
    const theirs = hiddenFields((await stranger.browser.ask(showApplications, {})).body).csrf;
    await expect(stranger.browser.ask(removeApplication, { application, csrf: theirs })).rejects.toEqual(
      failure({ code: 'application.not_found' }),
    );
    await browser.ask(removeApplication, { application, csrf });
    await expect(holderOf(tokens.access_token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  });

  it('are not registered with invalid values', async () => {
    const { browser } = await signedIn();
    const csrf = hiddenFields((await browser.ask(showApplications, {})).body).csrf;
    const given = { name: '', redirect_uri: 'javascript:alert(1)', csrf };
    const { status, body } = await browser.ask(registerApplication, given);
    expect(status).toBe(422);
    expect(body).toContain('redirect_uri is forbidden by the server.');
  });
});

describe('OpenID Connect', () => {
  it('signs the identity of the user, with the nonce, under a published key', async () => {
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

  it('shows no more of a user than the scopes allow', async () => {
    const user = await makeUser(identity);
    const caller = callerFor(user, { scopes: ['openid'] });
    await expect(identity.client.call(userInfo, {}, { caller })).resolves.toEqual({ sub: String(user.id) });
  });

  it('publishes its endpoints', async () => {
    const found = await identity.client.call(openidConfiguration, {});
    expect(found).toMatchObject({
      issuer: 'http://moothall.test',
      authorization_endpoint: 'http://moothall.test/oauth/authorize',
      jwks_uri: 'http://moothall.test/oauth/discovery/keys',
    });
  });
});
