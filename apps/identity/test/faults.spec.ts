import {
  addOwnKey,
  createUser,
  createUserToken,
  deleteUser,
  listOwnKeys,
  listUsers,
  type OutputOf,
  updateUser,
  userCreated,
  userDeleted,
} from '@moothall/contracts';
import { eventually, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { newEd25519 } from './public-keys';
import { asAdministrator, callerFor, makeToken, makeUser, startIdentity } from './service-under-test';

meetFaults();

const identity = shareBetweenTests(() => startIdentity());

// What the database, NATS or Redis failed at was told as done, or was half there.
it('users are there once when that was said, and not when it was not', async () => {
  const { client } = identity;
  const made = await throughFaults(client, createUser, () => makeUser(identity, { skip_confirmation: false }));
  const listed = async () => {
    const { items } = await client.call(listUsers, { per_page: 100 }, asAdministrator);
    return items.map(({ username }) => username).filter((username) => username.startsWith('user-'));
  };
  const names = (users: { username: string }[]) => users.map(({ username }) => username).sort();
  expect((await listed()).sort()).toEqual(names(made));
  const told = (id: number) => identity.events(userCreated).some(({ data }) => data.user_id === id);
  await eventually(() => made.every(({ id }) => told(id)), 'the events');

  const [user, ...others] = made as [OutputOf<typeof createUser>, ...typeof made];
  const bios = await throughFaults(client, updateUser, async (turn) => {
    const { bio } = await client.call(updateUser, { id: user.id, bio: `bio ${turn}` }, asAdministrator);
    return bio;
  });
  const again = await client.call(updateUser, { id: user.id, name: 'Ada' }, asAdministrator);
  expect(again).toMatchObject({ bio: bios.at(-1), name: 'Ada' });

  const gone = await throughFaults(client, deleteUser, async () => {
    const victim = others.pop() ?? (await makeUser(identity));
    await client.call(deleteUser, { id: victim.id, hard_delete: true }, asAdministrator);
    return victim;
  });
  await eventually(async () => (await listed()).every((name) => !names(gone).includes(name)), 'the end of users');
  const ended = (id: number) => identity.events(userDeleted).some(({ data }) => data.user_id === id);
  await eventually(() => gone.every(({ id }) => ended(id)), 'the events');
  expect((await listed()).sort()).toEqual(names([{ ...user }, ...others]));
}, 120_000);

it('tokens and keys are there when that was said', async () => {
  const { client } = identity;
  const user = await makeUser(identity);
  const tokens = await throughFaults(client, createUserToken, () => makeToken(identity, user));
  expect(new Set(tokens.map(({ id }) => id)).size).toBe(tokens.length);
  const caller = callerFor(user);
  const key = newEd25519();
  await client.call(addOwnKey, { title: 'k', key }, { caller });
  expect((await client.call(listOwnKeys, {}, { caller })).items).toHaveLength(1);
}, 60_000);
