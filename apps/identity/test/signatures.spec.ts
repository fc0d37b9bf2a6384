import { createHash } from 'node:crypto';
import {
  addOwnGpgKey,
  addOwnKey,
  addUserEmail,
  authenticateSshKey,
  deleteOwnGpgKey,
  verifySignature,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { createMessage, generateKey, readPrivateKey, reformatKey, sign } from 'openpgp';
import { payload, ssh, x509 } from '../src/signature/signatures.fixtures';
import { asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const text = payload.toString('base64');
const verify = (signature: string, committer_email: string, signed = text) =>
  identity.client.call(verifySignature, { signature, payload: signed, committer_email });
const statusOf = async (signature: string, email: string, signed?: string) =>
  (await verify(signature, email, signed))?.verification_status;

/** A user with an OpenPGP key with one address, and signatures by it. */
async function signer(address?: string) {
  const user = await makeUser(identity);
  const email = address ?? user.email!;
  const { privateKey, publicKey } = await generateKey({ userIDs: [{ name: 'Ada', email }], format: 'armored' });
  const { id } = await identity.client.call(addOwnGpgKey, { key: publicKey }, { caller: callerFor(user) });
  const signBy = async (...keys: string[]) =>
    sign({
      message: await createMessage({ binary: new Uint8Array(payload) }),
      signingKeys: await Promise.all(keys.map((armoredKey) => readPrivateKey({ armoredKey }))),
      ...{ detached: true, format: 'armored' },
    }) as Promise<string>;
  return { user, email: user.email!, id, privateKey, signBy, signature: await signBy(privateKey) };
}

describe('a signature of OpenPGP', () => {
  it('is verified by the key that a user has, for the address in it', async () => {
    const { email, id, signature } = await signer();
    expect(await verify(signature, email.toUpperCase())).toEqual({
      ...{ signature_type: 'PGP', verification_status: 'verified', gpg_key_id: id, gpg_key_subkey_id: null },
      ...{ gpg_key_user_name: 'Ada', gpg_key_user_email: email },
      gpg_key_primary_keyid: expect.stringMatching(/^[0-9A-F]{16}$/),
    });
  });

  it('is by a key that was deleted', async () => {
    const { user, email, id, signature } = await signer();
    await identity.client.call(deleteOwnGpgKey, { key_id: id }, { caller: callerFor(user) });
    expect(await verify(signature, email)).toMatchObject({ verification_status: 'unknown_key', gpg_key_id: null });
  });

  it('is invalid for other data and other users, and counts once', async () => {
    const { email, signature, signBy, privateKey } = await signer();
    const other = await makeUser(identity);
    expect(await statusOf(signature, email, Buffer.from('x').toString('base64'))).toBe('unverified');
    expect(await statusOf(signature, other.email!)).toBe('other_user');
    const { privateKey: second } = await generateKey({ userIDs: [{ name: 'Bob' }], format: 'armored' });
    expect(await statusOf(await signBy(privateKey, second), email)).toBe('multiple_signatures');
  });

  it('is not verified if the address in the key is not confirmed for the user', async () => {
    const { email, signature } = await signer('somebody@else.example.com');
    expect(await statusOf(signature, email)).toBe('unverified_key');
    expect(await statusOf(signature, 'somebody@else.example.com')).toBe('unverified_key');
  });

  it('is distinguished from one for another address of the same user', async () => {
    const user = await makeUser(identity);
    const other = `second-${user.email}`;
    await identity.client.call(addUserEmail, { id: user.id, email: other, skip_confirmation: true }, asAdministrator);
    const made = await generateKey({ userIDs: [{ name: 'Ada', email: user.email! }], format: 'armored' });
    await identity.client.call(addOwnGpgKey, { key: made.publicKey }, { caller: callerFor(user) });
    const signature = (await sign({
      message: await createMessage({ binary: new Uint8Array(payload) }),
      signingKeys: await readPrivateKey({ armoredKey: made.privateKey }),
      ...{ detached: true, format: 'armored' },
    })) as string;
    expect(await statusOf(signature, other)).toBe('same_user_different_email');
  });

  // A key that contains another user's subkey, without its confirmation, is found by that subkey.
  it('is not accepted for a user who adds the key of another to their own', async () => {
    const { email, privateKey, signature } = await signer();
    const thief = await makeUser(identity);
    const { publicKey } = await reformatKey({
      privateKey: await readPrivateKey({ armoredKey: privateKey }),
      userIDs: [{ name: 'Thief', email: thief.email! }],
      format: 'armored',
    });
    // The same primary key exists already.
    await expect(identity.client.call(addOwnGpgKey, { key: publicKey }, { caller: callerFor(thief) })).rejects.toEqual(
      failure({ code: 'common.invalid_record' }),
    );
    expect(await statusOf(signature, thief.email!)).toBe('other_user');
    expect(await statusOf(signature, email)).toBe('verified');
  });
});

describe('a signature of SSH', () => {
  it('is by a key for signing, which opens no connection', async () => {
    const user = await makeUser(identity);
    const { key, signature } = ssh.ed25519;
    expect(await verify(signature, user.email!)).toMatchObject({ verification_status: 'unknown_key', key: null });
    const added = await identity.client.call(
      addOwnKey,
      { title: 'signs', key, usage_type: 'signing' },
      { caller: callerFor(user) },
    );
    expect(added.usage_type).toBe('signing');
    expect(await verify(signature, user.email!)).toMatchObject({
      ...{ signature_type: 'SSH', verification_status: 'verified' },
      key: { id: added.id, title: 'signs', usage_type: 'signing' },
    });
    expect(await statusOf(signature, 'other@example.com')).toBe('other_user');
    expect(await statusOf(signature, user.email!, 'eA==')).toBe('unverified');
    const blob = Buffer.from(key.split(' ')[1]!, 'base64');
    const fingerprint_sha256 = `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`;
    await expect(identity.client.call(authenticateSshKey, { fingerprint_sha256 })).rejects.toEqual(
      failure({ code: 'common.unauthorized' }),
    );
  });

  it('is refused by a key with usage auth', async () => {
    const user = await makeUser(identity);
    const { key, signature } = ssh.rsa;
    await identity.client.call(addOwnKey, { title: 'opens', key, usage_type: 'auth' }, { caller: callerFor(user) });
    expect(await statusOf(signature, user.email!)).toBe('unknown_key');
  });
});

it('a signature of X.509 is unverified unless its certificate is trusted', async () => {
  await makeUser(identity, { email: 'ada@example.com' });
  expect(await verify(x509.withAttributes, 'ada@example.com')).toMatchObject({
    ...{ signature_type: 'X509', verification_status: 'unverified' },
    x509_certificate: { email: 'ada@example.com' },
  });
});

it.each([
  ['', text],
  ['x', text],
  ['-----BEGIN PGP SIGNATURE-----\n\n!!!!\n-----END PGP SIGNATURE-----', text],
  [ssh.rsa.signature, Buffer.alloc(2 * 1024 * 1024).toString('base64')],
])('text without a signature is refused: %#', async (signature, signed) => {
  expect(await verify(signature, 'ada@example.com', signed)).toBeNull();
});
