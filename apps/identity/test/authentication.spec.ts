import {
  authenticateBasic,
  authenticateJobToken,
  authenticateToken,
  blockUser,
  commonErrors,
  deleteUser,
  ensureAdministrator,
  getOwnToken,
  impersonate,
  issueKnownToken,
  jobTokenUser,
  listTokens,
  revokeToken,
  rotateOwnToken,
  tokenRevoked,
  updateUser,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { asAdministrator, callerFor, makeToken, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const holderOf = (token: string) => identity.client.call(authenticateToken, { token_sha256: sha256(token) });
const signIn = (username: string, password: string) => identity.client.call(authenticateBasic, { username, password });
const code = (text: string) => expect.objectContaining({ value: expect.objectContaining({ code: text }) });

describe('a token', () => {
  it('names its holder and its scopes', async () => {
    const user = await makeUser(identity);
    const { token, id } = await makeToken(identity, user, ['read_api', 'read_user']);
    expect(token).toMatch(/^glpat-[\w-]{20}$/);
    const { caller, expires_at } = await holderOf(token);
    expect(caller).toMatchObject({ id: user.id, tokenId: id, scopes: ['read_api', 'read_user'], isAdmin: false });
    expect(expires_at).toBeNull();
  });

  it('is unknown if it does not exist', async () => {
    await expect(holderOf('mhpat-nonsense')).rejects.toEqual(code('common.unauthorized'));
  });

  it('is refused after it was revoked, which is published', async () => {
    const user = await makeUser(identity);
    const { token, id } = await makeToken(identity, user);
    await identity.client.call(revokeToken, { id }, { caller: callerFor(user) });
    await expect(holderOf(token)).rejects.toEqual(code('authentication.revoked'));
    const event = await eventually(() => identity.events(tokenRevoked).find(({ data }) => data.user_id === user.id));
    expect(event.data.token_sha256).toBe(sha256(token));
  });

  it('belongs to its user: others neither see nor revoke it', async () => {
    const [user, other] = [await makeUser(identity), await makeUser(identity)];
    const { id } = await makeToken(identity, user);
    const caller = callerFor(other);
    await expect(identity.client.call(revokeToken, { id }, { caller })).rejects.toEqual(code('token.not_found'));
    await expect(identity.client.call(listTokens, {}, { caller })).resolves.toMatchObject({ items: [], total: 0 });
    const all = await identity.client.call(listTokens, { user_id: user.id }, asAdministrator);
    expect(all.items).toEqual([expect.objectContaining({ id, active: true, revoked: false })]);
  });

  it('is replaced by rotation', async () => {
    const user = await makeUser(identity);
    const { token, id } = await makeToken(identity, user);
    const caller = callerFor(user, { tokenId: id });
    const rotated = await identity.client.call(rotateOwnToken, {}, { caller });
    await expect(holderOf(token)).rejects.toEqual(code('authentication.revoked'));
    await expect(holderOf(rotated.token)).resolves.toMatchObject({ caller: { id: user.id, tokenId: rotated.id } });
    expect(rotated.expires_at).not.toBeNull();
  });

  it('shows when it was last used', async () => {
    const user = await makeUser(identity);
    const { token, id } = await makeToken(identity, user);
    const usedAfter = Date.now();
    await holderOf(token);
    const caller = callerFor(user, { tokenId: id });
    const used = await eventually(async () => {
      const own = await identity.client.call(getOwnToken, {}, { caller });
      return own.last_used_at;
    });
    expect(Date.parse(used)).toBeGreaterThanOrEqual(usedAfter);
  });

  it('gives no access after its user was deleted', async () => {
    const user = await makeUser(identity);
    const { token } = await makeToken(identity, user);
    await identity.client.call(deleteUser, { id: user.id }, asAdministrator);
    await expect(holderOf(token)).rejects.toEqual(code('common.unauthorized'));
  });
});

describe('a password', () => {
  it('signs its user in, by name in any case and by address', async () => {
    const user = await makeUser(identity);
    for (const name of [user.username, user.username.toUpperCase(), user.email]) {
      const { caller } = await signIn(name, 'correct horse');
      expect(caller).toMatchObject({ id: user.id, credential: 'password' });
      expect(caller.scopes).toContain('write_repository');
      expect(caller.scopes).not.toContain('api');
    }
  });

  it('is refused if wrong, like that of an unknown user', async () => {
    const user = await makeUser(identity);
    await expect(signIn(user.username, 'wrong horse')).rejects.toEqual(code('common.unauthorized'));
    await expect(signIn('nobody-at-all', 'correct horse')).rejects.toEqual(code('common.unauthorized'));
  });

  it('may be a token instead', async () => {
    const user = await makeUser(identity);
    const { token } = await makeToken(identity, user, ['read_repository']);
    await expect(signIn('anything', token)).resolves.toMatchObject({ caller: { scopes: ['read_repository'] } });
  });

  it('that an administrator gave must be changed first', async () => {
    const user = await makeUser(identity);
    await identity.client.call(updateUser, { id: user.id, password: 'another horse' }, asAdministrator);
    await expect(signIn(user.username, 'another horse')).rejects.toEqual(code('common.unauthorized'));
  });
});

describe('a job token', () => {
  const runJobOf = (user_id: number, token: string) =>
    identity.respond(authenticateJobToken, ({ token_sha256 }) =>
      token_sha256 === sha256(token) ? { user_id, project_id: 7, job_id: 1 } : commonErrors.unauthorized(),
    );

  it('reads the code of one project as the user of the job, and no more', async () => {
    const user = await makeUser(identity);
    runJobOf(user.id, 'job-secret');
    const { caller } = await signIn(jobTokenUser, 'job-secret');
    const expected = { id: user.id, credential: 'job_token', scopes: ['read_repository'], projectId: 7 };
    expect(caller).toMatchObject(expected);
  });

  it('is refused when no running job has it, and under other names', async () => {
    const user = await makeUser(identity);
    runJobOf(user.id, 'job-secret');
    await expect(signIn(jobTokenUser, 'other-secret')).rejects.toEqual(code('common.unauthorized'));
    await expect(signIn(user.username, 'job-secret')).rejects.toEqual(code('common.unauthorized'));
    await expect(holderOf('job-secret')).rejects.toEqual(code('common.unauthorized'));
  });

  it('opens nothing once its user is blocked or gone', async () => {
    const user = await makeUser(identity);
    runJobOf(user.id, 'job-secret');
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    await expect(signIn(jobTokenUser, 'job-secret')).rejects.toEqual(code('authentication.blocked'));
    await identity.client.call(deleteUser, { id: user.id }, asAdministrator);
    await expect(signIn(jobTokenUser, 'job-secret')).rejects.toEqual(code('common.unauthorized'));
  });
});

describe('acting as another user', () => {
  it('works by id and by username', async () => {
    const user = await makeUser(identity);
    for (const reference of [String(user.id), user.username]) {
      const { caller } = await identity.client.call(impersonate, { user: reference });
      expect(caller.id).toBe(user.id);
    }
    await expect(identity.client.call(impersonate, { user: 'nobody' })).rejects.toEqual(code('user.not_found'));
  });
});

describe('a token with a given value', () => {
  const known = (userId: number, token: string) =>
    identity.client.call(issueKnownToken, { user_id: userId, name: 'seed', scopes: ['api'], token });

  it('is valid for its scopes, and created once if given repeatedly', async () => {
    const user = await makeUser(identity);
    await Promise.all([1, 2].map(() => known(user.id, 'glpat-known-0000000000')));
    await known(user.id, 'glpat-known-0000000000');
    expect(await holderOf('glpat-known-0000000000')).toMatchObject({ caller: { id: user.id, scopes: ['api'] } });
    const listed = await identity.client.call(listTokens, { user_id: user.id }, asAdministrator);
    expect(listed.items).toHaveLength(1);
  });

  it('belongs to its user, who must exist', async () => {
    const [user, other] = [await makeUser(identity), await makeUser(identity)];
    await known(user.id, 'glpat-mine-00000000000');
    await expect(known(other.id, 'glpat-mine-00000000000')).rejects.toEqual(code('common.invalid_record'));
    await expect(known(999_999, 'glpat-none-00000000000')).rejects.toEqual(code('user.not_found'));
  });
});

describe('the first administrator', () => {
  it('is created once, and works with password and token', async () => {
    const fresh = await startIdentity();
    try {
      const given = { username: 'root', email: 'root@example.com', password: 'first horse', token: 'mhpat-first' };
      const answers = [
        await fresh.client.call(ensureAdministrator, given),
        await fresh.client.call(ensureAdministrator, { ...given, password: 'other horse', token: 'mhpat-other' }),
      ];
      expect(answers).toEqual([
        { username: 'root', created: true },
        { username: 'root', created: false },
      ]);
      const byToken = await fresh.client.call(authenticateToken, { token_sha256: sha256('mhpat-first') });
      expect(byToken.caller).toMatchObject({ username: 'root', isAdmin: true });
      expect(byToken.caller.scopes).toEqual(expect.arrayContaining(['api', 'sudo', 'write_repository']));
      await fresh.client.call(authenticateBasic, { username: 'root', password: 'first horse' });
      await expect(fresh.client.call(authenticateToken, { token_sha256: sha256('mhpat-other') })).rejects.toEqual(
        code('common.unauthorized'),
      );
    } finally {
      await fresh.stop();
    }
  });
});
