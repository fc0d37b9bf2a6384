import {
  addUserEmail,
  blockUser,
  type InputOf,
  listUsers,
  searchUsers,
  setUserAttribute,
  updateUser,
  usersWithProjects,
} from '@moothall/contracts';
import { callerNamed, shareBetweenTests } from '@moothall/testing';
import { asAdministrator, failure, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const asSomebody = { caller: callerNamed('somebody') };
const names = async (input: InputOf<typeof listUsers>, context: object = asAdministrator): Promise<string[]> => {
  const { items } = await identity.client.call(listUsers, { per_page: 100, ...input }, context);
  return items.map(({ username }) => username);
};

describe('the list of users', () => {
  it('is newest first, in pages with a total', async () => {
    const made = [await makeUser(identity), await makeUser(identity), await makeUser(identity)];
    const [first, second] = await Promise.all(
      [1, 2].map((page) => identity.client.call(listUsers, { page, per_page: 2 }, asSomebody)),
    );
    expect(first!.items.map(({ id }) => id)).toEqual([made[2]!.id, made[1]!.id]);
    expect(second!.items[0]!.id).toBe(made[0]!.id);
    expect(first!.total).toBeGreaterThanOrEqual(3);
  });

  it('is limited to lookups without a credential', async () => {
    const user = await makeUser(identity);
    await expect(names({}, {})).rejects.toEqual(failure({ code: 'common.forbidden' }));
    await expect(names({ username: user.username.toUpperCase() }, {})).resolves.toEqual([user.username]);
  });

  it('shows summaries to others, and everything to administrators', async () => {
    const user = await makeUser(identity);
    const theirs = await identity.client.call(listUsers, { username: user.username }, asSomebody);
    expect(Object.keys(theirs.items[0]!).sort()).toEqual(['avatar_url', 'id', 'name', 'state', 'username', 'web_url']);
    const all = await identity.client.call(listUsers, { username: user.username }, asAdministrator);
    expect(all.items[0]).toMatchObject({ email: user.email, identities: [] });
  });
});

describe('searching users', () => {
  it.each(['ZAPHOD', 'phod', 'beeb', 'd Beeble', 'zb42', 'B4'])(
    'finds parts of name and username: %s',
    async (search) => {
      await makeUser(identity, { username: 'zb42', name: 'Zaphod Beeblebrox' }).catch(() => undefined);
      await expect(names({ search }, asSomebody)).resolves.toEqual(['zb42']);
    },
  );

  it('finds long texts, and no texts with only the same beginning', async () => {
    const name = `Long ${'x'.repeat(40)} name`;
    const user = await makeUser(identity, { name });
    await expect(names({ search: name })).resolves.toEqual([user.username]);
    await expect(names({ search: `${name}!` })).resolves.toEqual([]);
  });

  it('treats patterns as text', async () => {
    const user = await makeUser(identity, { name: 'a.*b (c)' });
    await expect(names({ search: '.*b (' })).resolves.toEqual([user.username]);
  });

  it('finds whole addresses: every one for administrators, the public one for others', async () => {
    const user = await makeUser(identity, { public_email: 'public@example.org' });
    await identity.client.call(addUserEmail, { id: user.id, email: 'second@example.org' }, asAdministrator);
    await expect(names({ search: user.email.toUpperCase() })).resolves.toEqual([user.username]);
    await expect(names({ search: 'second@example.org' })).resolves.toEqual([user.username]);
    await expect(names({ search: user.email }, asSomebody)).resolves.toEqual([]);
    await expect(names({ search: 'public@example.org' }, asSomebody)).resolves.toEqual([user.username]);
    await expect(names({ search: 'ublic@example.org' })).resolves.toEqual([]);
  });
});

describe('filtering users', () => {
  it('by projects, which the projects service returns', async () => {
    const users = [await makeUser(identity), await makeUser(identity), await makeUser(identity)];
    const busy = users[1]!.id;
    identity.respond(usersWithProjects, ({ user_ids }) => user_ids.filter((id) => id === busy));
    const made = { without_projects: true, created_after: users[0]!.created_at };
    await expect(names(made)).resolves.toEqual([users[2]!.username, users[0]!.username]);
    const second = await identity.client.call(listUsers, { ...made, per_page: 1, page: 2 }, asAdministrator);
    expect(second.items.map(({ id }) => id)).toEqual([users[0]!.id]);
    await expect(names(made, asSomebody)).resolves.toContain(users[1]!.username);
  });

  it('by state, externals, administrators', async () => {
    const [blocked, external, admin] = [
      await makeUser(identity),
      await makeUser(identity, { external: true }),
      await makeUser(identity, { admin: true }),
    ];
    await identity.client.call(blockUser, { id: blocked.id }, asAdministrator);
    await expect(names({ blocked: true })).resolves.toEqual([blocked.username]);
    await expect(names({ active: true })).resolves.not.toContain(blocked.username);
    await expect(names({ active: false, blocked: false })).resolves.toContain(blocked.username);
    await expect(names({ external: true })).resolves.toEqual([external.username]);
    await expect(names({ exclude_external: true })).resolves.not.toContain(external.username);
    await expect(names({ admins: true })).resolves.toEqual([admin.username]);
    await expect(names({ admins: true }, asSomebody)).resolves.toContain(external.username);
  });

  it('by identity, for administrators only', async () => {
    const user = await makeUser(identity, { provider: 'ldap', extern_uid: 'uid=zz' });
    await expect(names({ provider: 'ldap', extern_uid: 'uid=zz' })).resolves.toEqual([user.username]);
    await expect(names({ provider: 'saml', extern_uid: 'uid=zz' })).resolves.toEqual([]);
    await expect(names({ provider: 'ldap', extern_uid: 'uid=zz' }, asSomebody)).rejects.toEqual(
      failure({ code: 'common.forbidden' }),
    );
  });

  it('by custom attributes, all of which must match', async () => {
    const [one, two] = [await makeUser(identity), await makeUser(identity)];
    const set = (id: number, key: string, value: string) =>
      identity.client.call(setUserAttribute, { id, key, value }, asAdministrator);
    await set(one.id, 'team', 'red');
    await set(two.id, 'team', 'red');
    await set(two.id, 'desk', '7');
    await expect(names({ custom_attributes: { team: 'red' } })).resolves.toEqual([two.username, one.username]);
    await expect(names({ custom_attributes: { team: 'red', desk: '7' } })).resolves.toEqual([two.username]);
    const shown = await identity.client.call(
      listUsers,
      { custom_attributes: { desk: '7' }, with_custom_attributes: true },
      asAdministrator,
    );
    expect(shown.items[0]).toMatchObject({ custom_attributes: [{ key: 'team' }, { key: 'desk', value: '7' }] });
  });

  it('by time of creation, in any order', async () => {
    const [b, a] = [await makeUser(identity, { name: 'Bb' }), await makeUser(identity, { name: 'aA' })];
    const both = { created_after: b.created_at, created_before: a.created_at };
    await expect(names(both)).resolves.toEqual([a.username, b.username]);
    await expect(names({ ...both, order_by: 'name', sort: 'asc' })).resolves.toEqual([a.username, b.username]);
    await expect(names({ ...both, order_by: 'name', sort: 'desc' })).resolves.toEqual([b.username, a.username]);
    await expect(names({ ...both, order_by: 'created_at', sort: 'asc' })).resolves.toEqual([b.username, a.username]);
    await identity.client.call(updateUser, { id: b.id, bio: 'x' }, asAdministrator);
    await expect(names({ ...both, order_by: 'updated_at' })).resolves.toEqual([b.username, a.username]);
  });
});

describe('the search for users', () => {
  const find = async (search: string, context: object) => {
    const { items } = await identity.client.call(searchUsers, { scope: 'users', search }, context);
    return items;
  };

  it('finds parts of names and whole addresses, and shows as much as inside other records', async () => {
    const user = await makeUser(identity, { name: 'Trillian (Tricia) McMillan' });
    const keys = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'];
    for (const search of [' (tricia) ', 'McMill', user.username.toUpperCase()]) {
      const [found, ...others] = await find(search, asSomebody);
      expect([found!.id, Object.keys(found!).sort(), others]).toEqual([user.id, keys, []]);
    }
    expect(await find('Tri.*ian', asSomebody)).toEqual([]);
    expect(await find(user.email, asSomebody)).toEqual([]);
    expect(await find(user.email, asAdministrator)).toMatchObject([{ id: user.id }]);
  });

  it('shows blocked users to administrators only', async () => {
    const user = await makeUser(identity, { name: 'Marvin Android' });
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    expect(await find('marvin android', asSomebody)).toEqual([]);
    expect(await find('marvin android', asAdministrator)).toMatchObject([{ id: user.id, state: 'blocked' }]);
  });
});
