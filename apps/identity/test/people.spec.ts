import {
  addOwnGpgKey,
  addUserGpgKey,
  authenticateToken,
  banUser,
  blockUser,
  changeOwnStatus,
  countAssociations,
  deactivateUser,
  deleteOwnGpgKey,
  deleteUser,
  deleteUserGpgKey,
  followUser,
  getAvatarOfEmail,
  getOwnGpgKey,
  getOwnStatus,
  getUserCounts,
  getUserGpgKey,
  getUserStatus,
  type InputOf,
  listActivities,
  listFollowers,
  listFollowing,
  listIssues,
  listMemberships,
  listMergeRequests,
  listOwnGpgKeys,
  listTodos,
  listUserGpgKeys,
  type Operation,
  type OperationContext,
  type OutputOf,
  setOwnStatus,
  unbanUser,
  unblockUser,
  unfollowUser,
  updateUser,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { Users } from '../src/user/user.repository';
import { newGpgKey, nonsense } from './public-keys';
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

const newcomer = async () => {
  const user = await makeUser(identity);
  return { ...user, caller: callerFor(user) };
};
const ask = <T extends Operation>(
  operation: T,
  input: InputOf<T>,
  { caller }: { caller: ReturnType<typeof callerFor> },
): Promise<OutputOf<T>> => identity.client.call(operation, input, { caller });

describe('a status', () => {
  it('is replaced as a whole, changed in part, and read by others', async () => {
    const [user, other] = [await newcomer(), await newcomer()];
    expect(await ask(getOwnStatus, {}, user)).toMatchObject({ emoji: null, message: null });
    const said = { emoji: 'tea', message: '<b>', availability: 'busy' as const };
    expect(await ask(setOwnStatus, said, user)).toMatchObject({ ...said, message_html: '&lt;b&gt;' });
    expect(await ask(changeOwnStatus, { emoji: 'coffee' }, user)).toMatchObject({ emoji: 'coffee', message: '<b>' });
    const seen = await ask(getUserStatus, { user: user.username.toUpperCase() }, other);
    expect(seen).toEqual(await ask(getOwnStatus, {}, user));
    expect(await ask(getUserStatus, { user: String(user.id) }, other)).toEqual(seen);
    expect(await ask(setOwnStatus, { message: 'Hi' }, user)).toMatchObject({
      emoji: 'speech_balloon',
      message: 'Hi',
      availability: 'not_set',
    });
    expect(await ask(setOwnStatus, {}, user)).toMatchObject({ emoji: null, message: null, availability: null });
    await expect(ask(getUserStatus, { user: 'nobody-at-all' }, other)).rejects.toEqual(
      failure({ code: 'user.not_found' }),
    );
  });

  it('stores both of two concurrent changes', async () => {
    const user = await newcomer();
    await Promise.all([
      ask(changeOwnStatus, { emoji: 'tea' }, user),
      ask(changeOwnStatus, { message: 'Hi' }, user),
      ask(changeOwnStatus, { clear_status_after: '1_day' }, user),
    ]);
    expect(await ask(getOwnStatus, {}, user)).toMatchObject({
      emoji: 'tea',
      message: 'Hi',
      clear_status_at: expect.any(String),
    });
  });
});

describe('following', () => {
  const names = async (list: typeof listFollowers, user: Awaited<ReturnType<typeof newcomer>>) =>
    (await ask(list, { id: user.id }, user)).items.map(({ username }) => username);

  it('is stored once, listed from both sides, and can be undone', async () => {
    const [user, other] = [await newcomer(), await newcomer()];
    expect(await ask(followUser, { id: other.id }, user)).toMatchObject({ username: other.username });
    await Promise.all([1, 2, 3].map(() => ask(followUser, { id: other.id }, user)));
    expect(await names(listFollowing, user)).toEqual([other.username]);
    expect(await names(listFollowers, other)).toEqual([user.username]);
    await ask(unfollowUser, { id: other.id }, user);
    expect([await names(listFollowing, user), await names(listFollowers, other)]).toEqual([[], []]);
  });

  it('needs an existing other user, and is visible on public profiles', async () => {
    const [user, other] = [await newcomer(), await newcomer()];
    await expect(ask(followUser, { id: user.id }, user)).rejects.toEqual(failure({ code: 'follow.oneself' }));
    await expect(ask(followUser, { id: 999_999_999 }, user)).rejects.toEqual(failure({ code: 'user.not_found' }));
    await identity.client.call(updateUser, { id: other.id, private_profile: true }, asAdministrator);
    for (const list of [listFollowers, listFollowing]) {
      await expect(ask(list, { id: other.id }, user)).rejects.toEqual(failure({ code: 'common.forbidden' }));
      await expect(ask(list, { id: other.id }, other)).resolves.toMatchObject({ items: [] });
      await expect(identity.client.call(list, { id: other.id }, asAdministrator)).resolves.toMatchObject({ items: [] });
    }
  });

  it('is limited', async () => {
    const user = await newcomer();
    const others = await Promise.all(Array.from({ length: 12 }, () => newcomer()));
    const follows = identity.running.app.get('FollowModel', { strict: false });
    const written = Array.from({ length: 295 }, (_, at) => ({
      _id: `${user.id}/${-at}`,
      followerId: user.id,
      followedId: -at,
    }));
    await follows.insertMany(written);
    const answers = await Promise.allSettled(others.map(({ id }) => ask(followUser, { id }, user)));
    expect(answers.some(({ status }) => status === 'rejected')).toBe(true);
    expect(await follows.countDocuments({ followerId: user.id })).toBeLessThanOrEqual(300);
  });

  it('is forgotten with either of them', async () => {
    const [user, gone] = [await newcomer(), await newcomer()];
    await ask(followUser, { id: gone.id }, user);
    await ask(followUser, { id: user.id }, gone);
    await identity.client.call(deleteUser, { id: gone.id }, asAdministrator);
    const follows = identity.running.app.get('FollowModel', { strict: false });
    await eventually(async () => (await follows.countDocuments({ followedId: gone.id })) === 0);
    await eventually(async () => (await follows.countDocuments({ followerId: gone.id })) === 0);
  });
});

describe('a ban', () => {
  const change = (operation: typeof banUser, id: number) => identity.client.call(operation, { id }, asAdministrator);

  it('stops tokens immediately, and only an unban ends it', async () => {
    const user = await makeUser(identity);
    const { token } = await makeToken(identity, user);
    const holder = () => identity.client.call(authenticateToken, { token_sha256: sha256(token) });
    expect(await change(banUser, user.id)).toBe(true);
    expect(await change(banUser, user.id)).toBeNull();
    await expect(holder()).rejects.toEqual(failure({ code: 'authentication.blocked' }));
    for (const other of [blockUser, unblockUser, deactivateUser])
      await expect(change(other as typeof banUser, user.id)).rejects.toEqual(failure({ code: 'user_state.banned' }));
    expect(await change(unbanUser, user.id)).toBe(true);
    await expect(holder()).resolves.toBeDefined();
    await expect(change(unbanUser, user.id)).rejects.toEqual(failure({ code: 'user_state.not_banned' }));
  });

  it('does not apply to oneself or to banned users', async () => {
    const { id } = await makeUser(identity);
    await change(blockUser, id);
    await expect(change(banUser, id)).rejects.toEqual(failure({ code: 'user_state.not_active' }));
    const self = await makeUser(identity, { admin: true });
    const asked = identity.client.call(banUser, { id: self.id }, { caller: callerFor(self, { isAdmin: true }) });
    await expect(asked).rejects.toEqual(failure({ code: 'user_state.oneself' }));
  });
});

describe('GPG keys', () => {
  it('are added, read by everybody, and deleted', async () => {
    const user = await newcomer();
    const key = newGpgKey();
    const made = await ask(addOwnGpgKey, { key: `\n${key}\n` }, user);
    expect(made).toEqual({ id: expect.any(Number), key, created_at: expect.any(String) });
    const second = await identity.client.call(addUserGpgKey, { user_id: user.id, key: newGpgKey() }, asAdministrator);
    expect((await ask(listOwnGpgKeys, {}, user)).items).toEqual([made, second]);
    expect(await ask(getOwnGpgKey, { key_id: made.id }, user)).toEqual(made);
    const seen = { user: user.username };
    expect((await identity.client.call(listUserGpgKeys, seen, {})).items).toEqual([made, second]);
    expect(await identity.client.call(getUserGpgKey, { ...seen, key_id: made.id }, {})).toEqual(made);
    await ask(deleteOwnGpgKey, { key_id: made.id }, user);
    await identity.client.call(deleteUserGpgKey, { user_id: user.id, key_id: second.id }, asAdministrator);
    for (const gone of [ask(getOwnGpgKey, { key_id: made.id }, user), ask(deleteOwnGpgKey, { key_id: made.id }, user)])
      await expect(gone).rejects.toEqual(failure({ code: 'gpg_key.not_found' }));
  });

  it('belong to one user, also if two add one concurrently, and are deleted with their user', async () => {
    const [user, other] = [await newcomer(), await newcomer()];
    const key = newGpgKey();
    const answers = await Promise.allSettled([ask(addOwnGpgKey, { key }, user), ask(addOwnGpgKey, { key }, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const holder = (await ask(listOwnGpgKeys, {}, user)).items.length === 1 ? user : other;
    const [{ id: key_id } = { id: 0 }] = (await ask(listOwnGpgKeys, {}, holder)).items;
    const stranger = holder === user ? other : user;
    await expect(ask(deleteOwnGpgKey, { key_id }, stranger)).rejects.toEqual(failure({ code: 'gpg_key.not_found' }));
    await identity.client.call(deleteUser, { id: holder.id }, asAdministrator);
    await eventually(() =>
      ask(addOwnGpgKey, { key }, stranger).then(
        () => true,
        () => false,
      ),
    );
  });

  it('are no nonsense', async () => {
    const user = await newcomer();
    for (const key of ['x', nonsense(), newGpgKey().replace('PUBLIC', 'PRIVATE'), 'x'.repeat(200_000)])
      await expect(ask(addOwnGpgKey, { key }, user)).rejects.toEqual(failure({ code: 'common.invalid_record' }));
  });
});

describe('counts', () => {
  it('come from other services, with the rights of the caller', async () => {
    const user = await newcomer();
    const asked: [string, object, number | undefined][] = [];
    for (const list of [listIssues, listMergeRequests, listTodos, listMemberships])
      identity.respond(list as Operation, (input: object, context: OperationContext) => {
        asked.push([list.name, input, context.caller?.id]);
        return { items: [], total: asked.length } as never;
      });
    const counts = await ask(getUserCounts, {}, user);
    expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    expect(asked.map(([name]) => name).sort()).toEqual([
      'collaboration.issues.list',
      'collaboration.merge-requests.list',
      'collaboration.merge-requests.list',
      'integrations.todos.list',
    ]);
    expect(asked.every(([, , id]) => id === user.id)).toBe(true);
    asked.length = 0;
    expect(Object.keys(await ask(countAssociations, { id: user.id }, user)).sort()).toEqual([
      'groups_count',
      'issues_count',
      'merge_requests_count',
      'projects_count',
    ]);
    expect(asked).toHaveLength(4);
    const stranger = ask(countAssociations, { id: user.id }, await newcomer());
    await expect(stranger).rejects.toEqual(failure({ code: 'common.forbidden' }));
  });
});

it('activities are listed since a day, oldest first', async () => {
  const users = identity.running.app.get(Users, { strict: false });
  const [first, second, third] = [await newcomer(), await newcomer(), await newcomer()];
  await users.note(first.id, { lastActivityOn: '2119-01-02' });
  await users.note(second.id, { lastActivityOn: '2119-01-01' });
  await users.note(third.id, { lastActivityOn: '2118-12-31' });
  const asked = { from: '2119-01-01' } as InputOf<typeof listActivities>;
  const { items } = await identity.client.call(listActivities, asked, { caller: administrator });
  expect(items.map(({ username, last_activity_on }) => [username, last_activity_on])).toEqual([
    [second.username, '2119-01-01'],
    [first.username, '2119-01-02'],
  ]);
});

it('an address has the avatar of the user who shows it, and none if Gravatar is disabled', async () => {
  const user = await makeUser(identity);
  const ofEmail = async (email: string) =>
    (await identity.client.call(getAvatarOfEmail, { email, size: 32 }, {})).avatar_url;
  const users = identity.running.app.get(Users, { strict: false });
  const { profile } = await users.get(user.id);
  await users.note(user.id, { avatar: 'me.png', profile: { ...profile, publicEmail: user.email } });
  expect(await ofEmail(user.email)).toMatch(new RegExp(`/uploads/-/system/user/avatar/${user.id}/me.png$`));
  for (const email of ['', 'nobody@example.com']) expect(await ofEmail(email)).toBeNull();
});
