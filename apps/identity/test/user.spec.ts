import {
  blockUser,
  claimUserPath,
  createUser,
  deleteUser,
  deleteUserIdentity,
  getCurrentUser,
  getUser,
  highestRole,
  listUsers,
  soleOwnedGroups,
  updateUser,
  userChanged,
  userCreated,
  userDeleted,
  userIdsByUsername,
  userSummaries,
} from '@moothall/contracts';
import { callerNamed, eventually, shareBetweenTests } from '@moothall/testing';
import { Users } from '../src/user/user.repository';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const create = (input: Record<string, unknown>) => identity.client.call(createUser, input as never, asAdministrator);
const update = (input: Record<string, unknown>) => identity.client.call(updateUser, input as never, asAdministrator);
const person = (username: string) => ({ username, name: username, email: `${username}@example.com` });

describe('creating a user', () => {
  it('answers the administrator view and publishes the user', async () => {
    const user = await create({ ...person('ann'), password: 'correct horse', bio: 'Hi', admin: true, theme_id: 3 });
    expect(user).toMatchObject({ username: 'ann', state: 'active', bio: 'Hi', is_admin: true, theme_id: 3 });
    expect(user).toMatchObject({ web_url: 'http://moothall.test/ann', avatar_url: null, confirmed_at: null });
    const event = await eventually(() => identity.events(userCreated).find(({ data }) => data.user_id === user.id));
    expect(event.data).toEqual({ user_id: user.id, username: 'ann', name: 'ann', email: user.email });
  });

  it('never returns the password', async () => {
    const user = await create({ ...person('bea'), password: 'correct horse' });
    expect(JSON.stringify(user)).not.toMatch(/argon2|correct horse/);
  });

  it.each([
    [{ email: 'ANN@example.com' }, 'user_conflict.email_taken'],
    [{ username: 'ANN' }, 'user_conflict.username_taken'],
    [{ username: 'taken-by-a-group' }, 'user_conflict.username_taken'],
  ])('refuses a used value: %j', async (over, code) => {
    await expect(create({ ...person('carl'), password: 'correct horse', ...over })).rejects.toEqual(failure({ code }));
  });

  it('accepts one of two concurrent requests, and returns a conflict for the other', async () => {
    const both = await Promise.allSettled(
      ['one', 'two'].map((mail) =>
        create({ ...person('dora'), email: `${mail}@example.com`, password: 'correct horse' }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason.code).toBe('user_conflict.username_taken');
  });

  it('names every rule that is broken', async () => {
    await expect(create({ ...person('-x'), email: 'x', password: 'short' })).rejects.toEqual(
      failure({
        message: {
          username: [expect.stringContaining('can contain only letters')],
          email: ['is invalid'],
          password: ['is too short (minimum is 8 characters)'],
        },
      }),
    );
  });

  it('prefers a random password to a given one', async () => {
    await expect(create({ ...person('eve'), password: 'x', force_random_password: true })).resolves.toBeDefined();
    await expect(create({ ...person('fay'), reset_password: false })).rejects.toEqual(
      failure({ message: { password: ["can't be blank"] } }),
    );
  });
});

describe('reading a user', () => {
  it('shows the public view to others, and everything to administrators', async () => {
    const user = await makeUser(identity, { location: 'Oslo', note: 'watch out' });
    const seen = await identity.client.call(getUser, { id: user.id }, { caller: callerNamed('other') });
    expect(seen).toMatchObject({ id: user.id, location: 'Oslo' });
    expect(seen).not.toHaveProperty('email');
    expect(seen).not.toHaveProperty('note');
    const all = await identity.client.call(getUser, { id: user.id }, asAdministrator);
    expect(all).toMatchObject({ email: user.email, note: 'watch out', is_admin: false });
  });

  it('shows of a private profile the summary only, but everything to its owner', async () => {
    const user = await makeUser(identity, { location: 'Oslo', private_profile: true });
    const others = await identity.client.call(getUser, { id: user.id });
    expect(Object.keys(others).sort()).toEqual(['avatar_url', 'id', 'name', 'state', 'username', 'web_url']);
    const own = await identity.client.call(getUser, { id: user.id }, { caller: callerFor(user) });
    expect(own).toHaveProperty('location', 'Oslo');
  });

  it('returns 404 for a missing user', async () => {
    await expect(identity.client.call(getUser, { id: 999_999 })).rejects.toEqual(failure({ code: 'user.not_found' }));
  });

  it('shows callers themselves, and is_admin to administrators only', async () => {
    const user = await makeUser(identity);
    const own = await identity.client.call(getCurrentUser, {}, { caller: callerFor(user) });
    expect(own).toMatchObject({ id: user.id, email: user.email, can_create_project: true });
    expect(own).not.toHaveProperty('is_admin');
    const admin = await makeUser(identity, { admin: true });
    const theirs = await identity.client.call(getCurrentUser, {}, { caller: callerFor(admin) });
    expect(theirs).toMatchObject({ is_admin: true, note: null });
  });

  it('returns summaries to other services, without missing users', async () => {
    const user = await makeUser(identity);
    const found = await identity.client.call(userSummaries, { ids: [user.id, 999_999] });
    expect(found).toEqual([expect.objectContaining({ id: user.id, email: user.email, is_admin: false })]);
    const byName = await identity.client.call(userIdsByUsername, { usernames: [user.username.toUpperCase(), 'no'] });
    expect(byName).toEqual([{ id: user.id, username: user.username }]);
  });
});

describe('changing a user', () => {
  it('changes only the given values', async () => {
    const user = await makeUser(identity, { location: 'Oslo', bio: 'Hi' });
    const changed = await update({ id: user.id, name: 'New Name', bio: null, note: 'n', external: true });
    expect(changed).toMatchObject({ name: 'New Name', bio: null, location: 'Oslo', note: 'n', external: true });
    const event = await eventually(() => identity.events(userChanged).find(({ data }) => data.user_id === user.id));
    expect(event.data).toMatchObject({ username: user.username, name: 'New Name', before: { name: user.name } });
  });

  it('answers conflicts with 404, and changes nothing then', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    await expect(update({ id: one.id, email: two.email, bio: 'x' })).rejects.toEqual(
      failure({ code: 'user_conflict.email_taken_on_update' }),
    );
    await expect(update({ id: one.id, username: two.username })).rejects.toEqual(
      failure({ code: 'user_conflict.username_taken_on_update' }),
    );
    await expect(identity.client.call(getUser, { id: one.id })).resolves.toMatchObject({ bio: null });
  });

  it('by default keeps a new address unconfirmed until it is confirmed', async () => {
    const user = await makeUser(identity);
    const waiting = await update({ id: user.id, email: 'new@example.com' });
    expect(waiting).toMatchObject({ email: user.email, unconfirmed_email: 'new@example.com' });
    const done = await update({ id: user.id, email: 'new@example.com', skip_reconfirmation: true });
    expect(done).toMatchObject({ email: 'new@example.com', unconfirmed_email: null });
  });

  it('lets a user change the case of their name', async () => {
    const user = await makeUser(identity);
    const username = user.username.toUpperCase();
    await expect(update({ id: user.id, username })).resolves.toMatchObject({ username });
  });

  it('claims the new path before it is written', async () => {
    const user = await makeUser(identity);
    await expect(update({ id: user.id, username: 'taken-by-a-group' })).rejects.toEqual(
      failure({ code: 'user_conflict.username_taken_on_update' }),
    );
    await expect(identity.client.call(getUser, { id: user.id })).resolves.toMatchObject({ username: user.username });
  });

  // No identity belongs to two users.
  it('refuses an identity of another user, also under concurrent requests', async () => {
    const identities = { provider: 'saml', extern_uid: 'x-1' };
    const [one, two] = [await makeUser(identity, identities), await makeUser(identity)];
    const taken = failure({ code: 'user_conflict.identity_taken' });
    await expect(update({ id: two.id, ...identities })).rejects.toEqual(taken);
    await expect(create({ ...person('x-two'), password: 'correct horse', ...identities })).rejects.toEqual(taken);
    await expect(update({ id: one.id, ...identities, bio: 'x' })).resolves.toMatchObject({ bio: 'x' });
    const users = await Promise.all([1, 2, 3].map(() => makeUser(identity)));
    const asked = users.map(({ id }) => update({ id, provider: 'saml', extern_uid: 'x-2' }).catch(() => undefined));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    // The same text with another provider is another identity.
    await expect(update({ id: two.id, provider: 'ldap', extern_uid: 'x-1' })).resolves.toBeDefined();
  });

  // An update writes only the given fields.
  it('loses no concurrent change', async () => {
    const user = await makeUser(identity);
    const given = { bio: 'b', location: 'l', skype: 's', name: 'N', note: 'n', job_title: 'j', organization: 'o' };
    const changes = Object.entries(given).map(([name, value]) => update({ id: user.id, [name]: value }));
    const providers = ['a', 'b', 'c'].map((provider) => update({ id: user.id, provider, extern_uid: user.username }));
    const username = `${user.username}-renamed`;
    await Promise.all([...changes, ...providers, update({ id: user.id, username })]);
    const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
    expect(seen).toMatchObject({ ...given, username });
    expect('identities' in seen && seen.identities).toHaveLength(3);
    const found = await identity.client.call(listUsers, { search: 'renamed' }, asAdministrator);
    expect(found.items.map(({ id }) => id)).toContain(user.id);
  });

  it('refuses the address of another user as public address', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    const notOwned = failure({ message: { public_email: ['is not an email you own'] } });
    await expect(update({ id: one.id, public_email: two.email })).rejects.toEqual(notOwned);
    await expect(create({ ...person('x-pub'), password: 'correct horse', public_email: two.email })).rejects.toEqual(
      notOwned,
    );
    await expect(update({ id: one.id, public_email: one.email })).resolves.toMatchObject({ public_email: one.email });
  });

  it('shows administrators the highest role of one user', async () => {
    const user = await makeUser(identity);
    identity.respond(highestRole, ({ user_id }) => ({ access_level: user_id === user.id ? 40 : 0 }));
    const seen = await identity.client.call(getUser, { id: user.id }, asAdministrator);
    expect(seen).toHaveProperty('highest_role', 40);
    expect(await identity.client.call(getUser, { id: user.id })).not.toHaveProperty('highest_role');
  });

  it('stores one identity per provider, and removes it', async () => {
    const user = await makeUser(identity);
    await update({ id: user.id, provider: 'ldap', extern_uid: 'a' });
    const changed = await update({ id: user.id, provider: 'ldap', extern_uid: 'b' });
    expect(changed.identities).toEqual([{ provider: 'ldap', extern_uid: 'b', saml_provider_id: null }]);
    const removal = { id: user.id, provider: 'ldap' };
    await identity.client.call(deleteUserIdentity, removal, asAdministrator);
    await expect(identity.client.call(deleteUserIdentity, removal, asAdministrator)).rejects.toEqual(
      failure({ message: '404 Identity Not Found' }),
    );
  });
});

describe('deleting a user', () => {
  it('is refused while groups would have no owner, unless they are deleted too', async () => {
    const user = await makeUser(identity);
    identity.respond(soleOwnedGroups, ({ user_id }) => (user_id === user.id ? [7] : []));
    await expect(identity.client.call(deleteUser, { id: user.id }, asAdministrator)).rejects.toEqual(
      failure({ code: 'user_conflict.sole_owner' }),
    );
    await identity.client.call(deleteUser, { id: user.id, hard_delete: true }, asAdministrator);
    const event = await eventually(() => identity.events(userDeleted).find(({ data }) => data.user_id === user.id));
    expect(event.data.hard_delete).toBe(true);
  });

  // One active administrator must remain.
  it('or changing one keeps one administrator, also if all are deleted concurrently', async () => {
    const alone = await startIdentity();
    try {
      const admins = [await makeUser(alone, { admin: true }), await makeUser(alone, { admin: true })];
      const last = failure({ code: 'user_state.last_administrator' });
      const demote = (id: number) => alone.client.call(updateUser, { id, admin: false }, asAdministrator);
      const outcomes = await Promise.allSettled(admins.map(({ id }) => demote(id)));
      expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
      const left = await alone.client.call(listUsers, { admins: true }, asAdministrator);
      expect(left.items.length).toBeGreaterThan(0);
      for (const { id } of left.items.slice(1)) await demote(id);
      const { id } = left.items[0]!;
      await expect(demote(id)).rejects.toEqual(last);
      await expect(alone.client.call(blockUser, { id }, asAdministrator)).rejects.toEqual(last);
      await expect(alone.client.call(deleteUser, { id }, asAdministrator)).rejects.toEqual(last);
      const seen = await alone.client.call(getUser, { id }, asAdministrator);
      expect(seen).toMatchObject({ is_admin: true, state: 'active' });
    } finally {
      await alone.stop();
    }
  });

  it('keeps one of two administrators who are deleted concurrently', async () => {
    const alone = await startIdentity();
    try {
      const admins = [await makeUser(alone, { admin: true }), await makeUser(alone, { admin: true })];
      const count = alone.running.app.get(Users, { strict: false });
      await Promise.allSettled(admins.map(({ id }) => alone.client.call(deleteUser, { id }, asAdministrator)));
      expect(await count.countAdministrators()).toBeGreaterThan(0);
    } finally {
      await alone.stop();
    }
  });

  // A user or group may have the ghost user's name or path.
  it('works if a user or a group is named ghost', async () => {
    const [haunted, person] = [await startIdentity(), 'ghost'];
    haunted.respond(claimUserPath, ({ path }) => ({ is_claimed: path !== 'ghost1' }));
    try {
      await makeUser(haunted, { username: person, email: 'ghost@moothall.invalid' });
      const users = [await makeUser(haunted), await makeUser(haunted), await makeUser(haunted)];
      const deletions = users.map(({ id }) => haunted.client.call(deleteUser, { id }, asAdministrator));
      await Promise.all(deletions);
      const events = await eventually(() => {
        const found = haunted.events(userDeleted);
        return found.length === users.length ? found : undefined;
      });
      const ghosts = new Set(events.map(({ data }) => data.ghost_user_id));
      expect(ghosts.size).toBe(1);
      const ghost = await haunted.client.call(getUser, { id: [...ghosts][0]! });
      expect(ghost).toMatchObject({ username: 'ghost2', name: 'Ghost User' });
    } finally {
      await haunted.stop();
    }
  });

  it('spares the ghost', async () => {
    const user = await makeUser(identity);
    await identity.client.call(deleteUser, { id: user.id }, asAdministrator);
    const { items } = await identity.client.call(listUsers, { username: 'ghost' }, asAdministrator);
    await expect(identity.client.call(deleteUser, { id: items[0]!.id }, asAdministrator)).rejects.toEqual(
      failure({ code: 'common.forbidden' }),
    );
  });

  it('publishes the deletion, with the ghost user as the new owner', async () => {
    const user = await makeUser(identity);
    await identity.client.call(deleteUser, { id: user.id }, asAdministrator);
    await expect(identity.client.call(getUser, { id: user.id })).rejects.toEqual(failure({ code: 'user.not_found' }));
    const event = await eventually(() => identity.events(userDeleted).find(({ data }) => data.user_id === user.id));
    expect(event.data.hard_delete).toBe(false);
    const ghost = await identity.client.call(getUser, { id: event.data.ghost_user_id });
    expect(ghost).toMatchObject({ username: 'ghost', name: 'Ghost User' });
  });
});
