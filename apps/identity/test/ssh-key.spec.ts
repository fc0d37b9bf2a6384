import {
  addOwnKey,
  addUserKey,
  authenticateSshKey,
  blockUser,
  deleteOwnKey,
  findKey,
  getKey,
  getUserKey,
  keyChanged,
  listUserKeys,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { SshKey } from '../src/ssh-key/ssh-key.schema';
import { newEd25519, newRsa, newSecurityKey, nonsense } from './public-keys';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

async function userWithKey(key = newEd25519(), over: object = {}) {
  const user = await makeUser(identity);
  const caller = callerFor(user);
  const added = await identity.client.call(addOwnKey, { title: 'laptop', key, ...over }, { caller });
  const { deploy_keys_projects: none, ...found } = await identity.client.call(
    getKey,
    { id: added.id },
    asAdministrator,
  );
  expect(none).toBeUndefined();
  return { user, caller, added, found };
}

const fingerprintOf = async (key: string): Promise<string> => {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256')
    .update(Buffer.from(key.split(' ')[1]!, 'base64'))
    .digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
};
const connect = async (key: string) =>
  identity.client.call(authenticateSshKey, { fingerprint_sha256: await fingerprintOf(key) });

describe('SSH keys of a user', () => {
  it.each([
    ['RSA', () => newRsa(2048)],
    ['Ed25519', () => newEd25519()],
    ['a security key', () => newSecurityKey()],
  ])('accepts %s, and it can sign in', async (_name, make) => {
    const key = make();
    const { user, added } = await userWithKey(key);
    expect(added).toMatchObject({ title: 'laptop', key, expires_at: null });
    await expect(connect(key)).resolves.toMatchObject({ caller: { id: user.id, credential: 'ssh_key' } });
  });

  it('are shown to anybody, by id and by username', async () => {
    const { user, added } = await userWithKey();
    for (const reference of [String(user.id), user.username]) {
      const listed = await identity.client.call(listUserKeys, { user: reference });
      expect(listed).toMatchObject({ items: [{ id: added.id }], total: 1 });
      const single = await identity.client.call(getUserKey, { user: reference, key_id: added.id });
      expect(single).toEqual(added);
    }
  });

  it('belong to one user only', async () => {
    const key = newEd25519();
    await userWithKey(key);
    const other = await makeUser(identity);
    await expect(
      identity.client.call(addUserKey, { user_id: other.id, title: 'x', key: `${key} again` }, asAdministrator),
    ).rejects.toEqual(failure({ message: expect.objectContaining({ fingerprint: ['has already been taken'] }) }));
  });

  it('are refused with an expiry in the past, or a title of more than 255 characters', async () => {
    const caller = callerFor(await makeUser(identity));
    const add = (over: object) =>
      identity.client.call(addOwnKey, { title: 'x', key: newEd25519(), ...over }, { caller });
    await expect(add({ expires_at: '2020-01-01' })).rejects.toEqual(
      failure({ message: { expires_at: ['must be in the future'] } }),
    );
    await expect(add({ title: 'x'.repeat(256) })).rejects.toEqual(
      failure({ message: { title: ['is too long (maximum is 255 characters)'] } }),
    );
    await expect(add({ title: 'x'.repeat(255) })).resolves.toBeDefined();
  });

  it('must be keys', async () => {
    const caller = callerFor(await makeUser(identity));
    await expect(identity.client.call(addOwnKey, { title: 'x', key: nonsense() }, { caller })).rejects.toEqual(
      failure({ message: { key: ['is invalid'], fingerprint: ['cannot be generated'] } }),
    );
  });

  it('open nothing once deleted, expired, or of a blocked user', async () => {
    const gone = newEd25519();
    const { added, caller } = await userWithKey(gone);
    await identity.client.call(deleteOwnKey, { key_id: added.id }, { caller });
    const published = () => identity.events(keyChanged).flatMap(({ data }) => (data.key_id === added.id ? data : []));
    await eventually(() => published().length === 2);
    expect(published()).toEqual([
      expect.objectContaining({ action: 'create', kind: 'user', user_id: caller.id, title: 'laptop' }),
      expect.objectContaining({ action: 'destroy', key: added.key }),
    ]);
    await expect(connect(gone)).rejects.toEqual(failure({ code: 'common.unauthorized' }));

    const expired = newEd25519();
    const { added: old } = await userWithKey(expired, { expires_at: '2099-01-01' });
    const keys = identity.running.app.get<Model<SshKey>>(getModelToken('SshKey'));
    await keys.updateOne({ _id: old.id }, { $set: { expiresAt: new Date() } });
    await expect(connect(expired)).rejects.toEqual(failure({ code: 'common.unauthorized' }));

    const key = newEd25519();
    const { user } = await userWithKey(key);
    await identity.client.call(blockUser, { id: user.id }, asAdministrator);
    await expect(connect(key)).rejects.toEqual(failure({ code: 'authentication.blocked' }));
  });

  it('of another are not deleted', async () => {
    const { added } = await userWithKey();
    const caller = callerFor(await makeUser(identity));
    await expect(identity.client.call(deleteOwnKey, { key_id: added.id }, { caller })).rejects.toEqual(
      failure({ code: 'key.not_found' }),
    );
  });
});

describe('looking a key up', () => {
  it('works by id and by every form of the fingerprint', async () => {
    const key = newEd25519();
    const { user, added, found } = await userWithKey(key);
    expect(found).toMatchObject({ id: added.id, user: { id: user.id, email: user.email } });
    const sha256 = await fingerprintOf(key);
    const { createHash } = await import('node:crypto');
    const digest = createHash('md5')
      .update(Buffer.from(key.split(' ')[1]!, 'base64'))
      .digest('hex');
    const md5 = digest.match(/../g)!.join(':');
    for (const fingerprint of [sha256, sha256.replaceAll('+', ' '), md5, `MD5:${md5}`]) {
      await expect(identity.client.call(findKey, { fingerprint }, asAdministrator)).resolves.toEqual(found);
    }
  });

  it.each([
    ['00:11', 'key.bad_fingerprint'],
    ['SHA256:short', 'key.bad_fingerprint'],
    [`SHA256:${'A'.repeat(43)}`, 'key.not_found'],
    [Array(16).fill('00').join(':'), 'key.not_found'],
  ])('answers %s with %s', async (fingerprint, code) => {
    await expect(identity.client.call(findKey, { fingerprint }, asAdministrator)).rejects.toEqual(failure({ code }));
  });
});
