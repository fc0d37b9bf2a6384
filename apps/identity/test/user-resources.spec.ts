import {
  activateUser,
  addGroupMember,
  addOwnEmail,
  addProjectMember,
  addUserEmail,
  authenticateToken,
  blockUser,
  commonErrors,
  createGroupToken,
  createImpersonationToken,
  createOwnToken,
  createProjectToken,
  createUser,
  createUserToken,
  deactivateUser,
  deleteOwnEmail,
  deleteUserAttribute,
  getOwnPreferences,
  getUser,
  getUserAttribute,
  groupDeleted,
  listGroupTokens,
  listImpersonationTokens,
  listOwnEmails,
  listProjectTokens,
  revokeImpersonationToken,
  revokeProjectToken,
  rotateOwnGroupToken,
  rotateOwnProjectToken,
  rotateProjectToken,
  rotateToken,
  setUserAttribute,
  unblockUser,
  updateOwnPreferences,
  userDeleted,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, groupNamed, itWithoutFaults, projectNamed, shareBetweenTests } from '@moothall/testing';
import { Users } from '../src/user/user.repository';
import { mostAttributes, mostEmails } from '../src/user/user.schema';
import {
  administrator,
  asAdministrator,
  callerFor,
  failure,
  makeToken,
  makeUser,
  startIdentity,
} from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const holderOf = (token: string) => identity.client.call(authenticateToken, { token_sha256: sha256(token) });

describe('the state of a user', () => {
  it('blocked stops tokens immediately, and unblocked accepts them again', async () => {
    const user = await makeUser(identity);
    const { token } = await makeToken(identity, user);
    await expect(identity.client.call(blockUser, { id: user.id }, asAdministrator)).resolves.toBe(true);
    await expect(identity.client.call(blockUser, { id: user.id }, asAdministrator)).resolves.toBeNull();
    await expect(holderOf(token)).rejects.toEqual(failure({ code: 'authentication.blocked' }));
    await expect(identity.client.call(unblockUser, { id: user.id }, asAdministrator)).resolves.toBe(true);
    await expect(holderOf(token)).resolves.toBeDefined();
  });

  it('unblock of a user who is not blocked returns false', async () => {
    const user = await makeUser(identity);
    await expect(identity.client.call(unblockUser, { id: user.id }, asAdministrator)).resolves.toBe(false);
  });

  it('moves only along its ways', async () => {
    const user = await makeUser(identity);
    const call = (operation: typeof blockUser | typeof unblockUser) =>
      identity.client.call(operation, { id: user.id }, asAdministrator);
    await call(deactivateUser);
    await expect(call(unblockUser)).rejects.toEqual(failure({ code: 'user_state.deactivated_cannot_be_unblocked' }));
    await call(activateUser);
    await call(blockUser);
    await expect(call(activateUser)).rejects.toEqual(failure({ code: 'user_state.blocked_cannot_be_activated' }));
    await expect(call(deactivateUser)).rejects.toEqual(failure({ code: 'user_state.blocked_cannot_be_deactivated' }));
  });

  it('of a recently active user is not changed to deactivated', async () => {
    const user = await makeUser(identity);
    const { token } = await makeToken(identity, user);
    await holderOf(token);
    await eventually(async () => {
      const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
      return 'last_activity_on' in seen && seen.last_activity_on;
    });
    await expect(identity.client.call(deactivateUser, { id: user.id }, asAdministrator)).rejects.toEqual(
      failure({ code: 'user_state.recently_active' }),
    );
  });

  it('is not to be blocked by oneself', async () => {
    await expect(
      identity.client.call(blockUser, { id: (await makeUser(identity)).id }, { caller: administrator }),
    ).resolves.toBe(true);
    const own = await makeUser(identity, { admin: true });
    const caller = callerFor(own, { isAdmin: true });
    await expect(identity.client.call(blockUser, { id: own.id }, { caller })).rejects.toEqual(
      failure({ code: 'user_state.oneself' }),
    );
  });
});

describe('custom attributes', () => {
  it('are set, read, set again and deleted', async () => {
    const { id } = await makeUser(identity);
    const attribute = { id, key: 'team' };
    await identity.client.call(setUserAttribute, { ...attribute, value: 'red' }, asAdministrator);
    await identity.client.call(setUserAttribute, { ...attribute, value: 'blue' }, asAdministrator);
    await expect(identity.client.call(getUserAttribute, attribute, asAdministrator)).resolves.toEqual({
      key: 'team',
      value: 'blue',
    });
    await identity.client.call(deleteUserAttribute, attribute, asAdministrator);
    await expect(identity.client.call(getUserAttribute, attribute, asAdministrator)).rejects.toEqual(
      failure({ code: 'common.not_found' }),
    );
  });

  it('are a hundred at most', async () => {
    const { id } = await makeUser(identity);
    const set = (key: string) => identity.client.call(setUserAttribute, { id, key, value: 'x' }, asAdministrator);
    await Promise.all(Array.from({ length: mostAttributes }, (_, at) => set(`k${at}`)));
    await expect(set('more')).rejects.toEqual(failure({ code: 'custom_attribute.too_many' }));
    await set('k1');
  });

  // If the first attempt may have removed it, a second one that finds nothing is fine.
  itWithoutFaults('return 404 if a missing one is deleted', async () => {
    const { id } = await makeUser(identity);
    await expect(identity.client.call(deleteUserAttribute, { id, key: 'team' }, asAdministrator)).rejects.toEqual(
      failure({ code: 'common.not_found' }),
    );
  });

  it('set concurrently are both stored, and one of a key', async () => {
    const { id } = await makeUser(identity);
    const writes = Array.from({ length: 8 }, (_, at) =>
      identity.client.call(setUserAttribute, { id, key: `k${at % 2}`, value: String(at) }, asAdministrator),
    );
    await Promise.all(writes);
    const seen = await identity.client.call(getUser, { id, with_custom_attributes: true }, asAdministrator);
    const attributes = 'custom_attributes' in seen ? seen.custom_attributes : [];
    expect(attributes?.map(({ key }) => key).sort()).toEqual(['k0', 'k1']);
  });
});

describe('preferences', () => {
  const defaults = {
    view_diffs_file_by_file: false,
    show_whitespace_in_diffs: true,
    pass_user_identities_to_ci_jwt: false,
  };

  it('are the defaults until they are set, and missing values stay unchanged', async () => {
    const user = await makeUser(identity);
    const context = { caller: callerFor(user) };
    const initial = { id: user.id, user_id: user.id, ...defaults };
    await expect(identity.client.call(getOwnPreferences, {}, context)).resolves.toEqual(initial);
    const first = { ...initial, show_whitespace_in_diffs: false };
    await expect(
      identity.client.call(updateOwnPreferences, { show_whitespace_in_diffs: false }, context),
    ).resolves.toEqual(first);
    const second = { ...first, view_diffs_file_by_file: true };
    await expect(
      identity.client.call(updateOwnPreferences, { view_diffs_file_by_file: true }, context),
    ).resolves.toEqual(second);
    await expect(identity.client.call(getOwnPreferences, {}, context)).resolves.toEqual(second);
  });

  it('of one user are not those of another', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    const given = { pass_user_identities_to_ci_jwt: true };
    await identity.client.call(updateOwnPreferences, given, { caller: callerFor(one) });
    await expect(identity.client.call(getOwnPreferences, {}, { caller: callerFor(two) })).resolves.toMatchObject(
      defaults,
    );
  });

  it('set concurrently are both stored', async () => {
    const context = { caller: callerFor(await makeUser(identity)) };
    const given = [{ view_diffs_file_by_file: true }, { show_whitespace_in_diffs: false }];
    await Promise.all(given.map((one) => identity.client.call(updateOwnPreferences, one, context)));
    await expect(identity.client.call(getOwnPreferences, {}, context)).resolves.toMatchObject({
      ...given[0],
      ...given[1],
    });
  });

  // The gateway passes on a change of attributes that only other servers have.
  it('stay unchanged if only unknown values are given', async () => {
    const user = await makeUser(identity);
    const users = identity.running.app.get(Users, { strict: false });
    await users.setPreferences(user.id, { viewDiffsFileByFile: true });
    const unchanged = await users.setPreferences(user.id, {});
    expect(unchanged.preferences).toEqual({ viewDiffsFileByFile: true });
  });

  it.each([{}, { view_diffs_file_by_file: 'perhaps' }])('are not changed by %j', (given) => {
    expect(updateOwnPreferences.input.safeParse(given).success).toBe(false);
  });
});

describe('addresses', () => {
  it('belong to one user only', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    const email = `more-${one.username}@example.com`;
    const added = await identity.client.call(addOwnEmail, { email }, { caller: callerFor(one) });
    expect(added).toEqual({ id: added.id, email, confirmed_at: null });
    await expect(
      identity.client.call(addUserEmail, { id: two.id, email: email.toUpperCase() }, asAdministrator),
    ).rejects.toEqual(failure({ message: { email: ['has already been taken'] } }));
    await expect(
      identity.client.call(
        createUser,
        { username: 'zz', name: 'zz', email, password: 'correct horse' },
        asAdministrator,
      ),
    ).rejects.toEqual(failure({ code: 'user_conflict.email_taken' }));
  });

  it('are free again once deleted, and only their owner deletes them', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    const email = `free-${one.username}@example.com`;
    const { id } = await identity.client.call(addOwnEmail, { email }, { caller: callerFor(one) });
    await expect(identity.client.call(deleteOwnEmail, { email_id: id }, { caller: callerFor(two) })).rejects.toEqual(
      failure({ code: 'email.not_found' }),
    );
    await identity.client.call(deleteOwnEmail, { email_id: id }, { caller: callerFor(one) });
    await expect(identity.client.call(listOwnEmails, {}, { caller: callerFor(one) })).resolves.toMatchObject({
      total: 0,
    });
    const skipping = { id: two.id, email, skip_confirmation: true };
    const added = await identity.client.call(addUserEmail, skipping, asAdministrator);
    expect(added.confirmed_at).not.toBeNull();
  });
});

describe('addresses of one user', () => {
  it('are a hundred besides the primary one', async () => {
    const user = await makeUser(identity);
    const add = (at: number) =>
      identity.client.call(
        addUserEmail,
        { id: user.id, email: `a${at}-${user.username}@example.com` },
        asAdministrator,
      );
    for (let at = 0; at < mostEmails; at++) await add(at);
    const refused = { email: [`are too many (maximum is ${mostEmails})`] };
    await expect(add(mostEmails)).rejects.toEqual(failure({ message: refused }));
    await expect(add(1)).rejects.toEqual(failure({ message: { email: ['has already been taken'] } }));
  });
});

describe('impersonation tokens', () => {
  it('act as their user until revoked, and are listed apart', async () => {
    const user = await makeUser(identity);
    const made = await identity.client.call(
      createImpersonationToken,
      { user_id: user.id, name: 'debug', scopes: ['api'], expires_at: '2099-01-01' },
      asAdministrator,
    );
    await makeToken(identity, user);
    await expect(holderOf(made.token)).resolves.toMatchObject({
      caller: { id: user.id },
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    const listed = await identity.client.call(listImpersonationTokens, { user_id: user.id }, asAdministrator);
    expect(listed.items).toEqual([expect.objectContaining({ id: made.id, impersonation: true, active: true })]);
    const one = { user_id: user.id, impersonation_token_id: made.id };
    await identity.client.call(revokeImpersonationToken, one, asAdministrator);
    await expect(holderOf(made.token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    const inactive = { user_id: user.id, state: 'inactive' } as const;
    const revoked = await identity.client.call(listImpersonationTokens, inactive, asAdministrator);
    expect(revoked.items).toEqual([expect.objectContaining({ id: made.id, active: false, revoked: true })]);
  });

  // A token without scopes gives no access.
  it('and tokens of every other kind have at least one scope, and a name of at most 255 characters', async () => {
    const { id: user_id } = await makeUser(identity);
    const request = { user_id, id: '1', name: 'x', scopes: ['api'] };
    for (const { input } of [
      createImpersonationToken,
      createUserToken,
      createOwnToken,
      createProjectToken,
      createGroupToken,
    ]) {
      expect(input.safeParse(request).success).toBe(true);
      expect(input.safeParse({ ...request, scopes: [] }).success).toBe(false);
      expect(input.safeParse({ ...request, name: 'x'.repeat(256) }).success).toBe(false);
    }
  });

  // Today is accepted, yesterday is not.
  it('may end today', async () => {
    const { id: user_id } = await makeUser(identity);
    const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const make = (expires_at: string) =>
      identity.client.call(createUserToken, { user_id, name: 'x', scopes: ['api'], expires_at }, asAdministrator);
    await expect(make(dayIn(0))).resolves.toMatchObject({ expires_at: dayIn(0) });
    await expect(make(dayIn(-1))).rejects.toEqual(failure({ message: { expires_at: ['must be in the future'] } }));
  });

  it('carry sudo for administrators only', async () => {
    const user = await makeUser(identity);
    const request = { user_id: user.id, name: 'x', scopes: ['sudo' as const] };
    await expect(identity.client.call(createImpersonationToken, request, asAdministrator)).rejects.toEqual(
      failure({ message: { scopes: ['can only contain available scopes'] } }),
    );
  });
});

describe('rotated tokens', () => {
  // The bearer of an old token may not be the owner of the new one.
  it('revoke their successors if they are used again', async () => {
    const user = await makeUser(identity);
    const context = { caller: callerFor(user) };
    const first = await makeToken(identity, user);
    const second = await identity.client.call(rotateToken, { id: first.id }, context);
    const third = await identity.client.call(rotateToken, { id: second.id }, context);
    const other = await makeToken(identity, user);
    await expect(holderOf(third.token)).resolves.toBeDefined();
    await expect(identity.client.call(rotateToken, { id: first.id }, context)).rejects.toEqual(
      failure({ code: 'token.not_found' }),
    );
    await expect(holderOf(third.token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    await expect(holderOf(other.token)).resolves.toBeDefined();
  });

  itWithoutFaults('are replaced once under concurrent requests', async () => {
    const user = await makeUser(identity);
    const { id } = await makeToken(identity, user);
    const context = { caller: callerFor(user) };
    const both = await Promise.allSettled([1, 2].map(() => identity.client.call(rotateToken, { id }, context)));
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  });
});

describe('group access tokens', () => {
  const group = groupNamed('crews', { accessLevel: 50 });
  const reference = { id: String(group.id) };
  const members: unknown[] = [];
  beforeAll(() => {
    identity.respond(addGroupMember, (input) => {
      members.push(input);
      return { status: 'success' };
    });
  });
  const request = { ...reference, name: 'robot', scopes: ['api' as const], access_level: 30 };

  it('belong to a bot that is a member of the group', async () => {
    const caller = callerFor(await makeUser(identity), { isExternal: true });
    const made = await identity.client.call(createGroupToken, request, { caller, group });
    expect(made).toMatchObject({ access_level: 30, resource_type: 'group', resource_id: group.id });
    expect(members.at(-1)).toEqual({ ...reference, user_id: [made.user_id], access_level: 30 });
    expect((await holderOf(made.token)).caller).toMatchObject({ id: made.user_id, isExternal: true });
    const elsewhere = groupNamed('elsewhere', { accessLevel: 50 });
    const listed = await identity.client.call(listGroupTokens, { id: 'elsewhere' }, { caller, group: elsewhere });
    expect(listed.items).toEqual([]);
  });

  it('can rotate themselves, and nothing else can', async () => {
    const user = await makeUser(identity);
    const context = { caller: callerFor(user), group };
    const made = await identity.client.call(createGroupToken, request, context);
    const { caller } = await holderOf(made.token);
    const rotated = await identity.client.call(rotateOwnGroupToken, reference, { caller, group });
    expect(rotated).toMatchObject({ user_id: made.user_id, name: 'robot', access_level: 30, resource_id: group.id });
    await expect(holderOf(made.token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
    const absent = failure({ code: 'token.not_found' });
    const bot = (await holderOf(rotated.token)).caller;
    await expect(
      identity.client.call(rotateOwnGroupToken, reference, { caller: bot, group: groupNamed('elsewhere') }),
    ).rejects.toEqual(absent);
    await expect(
      identity.client.call(rotateOwnProjectToken, reference, { caller: bot, project: projectNamed('below') }),
    ).rejects.toEqual(absent);
    const { id: tokenId } = await makeToken(identity, user);
    await expect(
      identity.client.call(rotateOwnGroupToken, reference, { caller: callerFor(user, { tokenId }), group }),
    ).rejects.toEqual(absent);
  });

  it('are deleted with the group, together with their bots', async () => {
    const context = { caller: callerFor(await makeUser(identity)), group: groupNamed('brief', { accessLevel: 50 }) };
    const { id } = context.group;
    const made = await identity.client.call(createGroupToken, { ...request, id: String(id) }, context);
    await identity.emit(groupDeleted, { group_id: id, full_path: 'brief' });
    await eventually(() => identity.events(userDeleted).some(({ data }) => data.user_id === made.user_id));
  });
});

describe('project access tokens', () => {
  const project = projectNamed('robots', { accessLevel: 40 });
  const members: unknown[] = [];
  const reference = { id: String(project.id) };
  beforeAll(() => {
    identity.respond(addProjectMember, (input) => {
      members.push(input);
      return input.access_level > 40 ? commonErrors.forbidden() : { status: 'success' };
    });
  });

  it('belong to a bot that is a member of the project', async () => {
    const caller = callerFor(await makeUser(identity));
    const request = { ...reference, name: 'robot', scopes: ['api' as const], access_level: 30 };
    const made = await identity.client.call(createProjectToken, request, { caller, project });
    expect(made).toMatchObject({ name: 'robot', access_level: 30, resource_type: 'project', resource_id: project.id });
    expect(members.at(-1)).toEqual({ id: String(project.id), user_id: [made.user_id], access_level: 30 });
    const { caller: bot } = await holderOf(made.token);
    expect(bot).toMatchObject({ id: made.user_id, name: 'robot' });
    const seen = await identity.client.call(getUser, { id: bot.id });
    expect(seen).toMatchObject({ bot: true, username: expect.stringMatching(`^project_${project.id}_bot`) });
  });

  it('are deleted with their bot when revoked', async () => {
    const caller = callerFor(await makeUser(identity));
    const context = { caller, project };
    const made = await identity.client.call(createProjectToken, { ...reference, name: 'r', scopes: ['api'] }, context);
    const token = { ...reference, token_id: made.id };
    const rotated = await identity.client.call(rotateProjectToken, token, context);
    expect(rotated.user_id).toBe(made.user_id);
    await identity.client.call(revokeProjectToken, { ...reference, token_id: rotated.id }, context);
    await expect(holderOf(rotated.token)).rejects.toBeDefined();
    await eventually(() => identity.events(userDeleted).some(({ data }) => data.user_id === made.user_id));
    const listed = await identity.client.call(listProjectTokens, reference, context);
    expect(listed.items.map(({ id }) => id)).not.toContain(rotated.id);
  });

  it('do not exceed the level of the caller, and a refused one leaves no bot', async () => {
    const caller = callerFor(await makeUser(identity));
    const request = { ...reference, name: 'r', scopes: ['api' as const], access_level: 50 };
    await expect(identity.client.call(createProjectToken, request, { caller, project })).rejects.toEqual(
      failure({ code: 'common.forbidden' }),
    );
    const owned = { ...project, accessLevel: 50 as const };
    await expect(identity.client.call(createProjectToken, request, { caller, project: owned })).rejects.toEqual(
      failure({ code: 'common.forbidden' }),
    );
    const { user_id } = members.at(-1) as { user_id: number[] };
    await expect(identity.client.call(getUser, { id: user_id[0]! })).rejects.toEqual(
      failure({ code: 'user.not_found' }),
    );
  });
});
