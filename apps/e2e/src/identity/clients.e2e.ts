import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSshKey } from '../repository/ssh-key';
import { clientFor, newUser, root } from '../server/connection';

/* The client's methods for tokens, keys and the instance. */

it('PersonalAccessTokens: make, show, rotate, remove', async () => {
  const { id: userId } = await newUser('holder');
  const made = await root.PersonalAccessTokens.create(userId, 'first', ['api']);
  const { PersonalAccessTokens, Users } = clientFor(String(made.token));
  expect((await Users.showCurrentUser()).id).toBe(userId);
  expect(await PersonalAccessTokens.show()).toMatchObject({ id: made.id, name: 'first', active: true });
  expect(await PersonalAccessTokens.show({ tokenId: made.id })).toMatchObject({ id: made.id, scopes: ['api'] });
  expect((await PersonalAccessTokens.all()).map((token) => token.id)).toContain(made.id);
  const next = await PersonalAccessTokens.rotate(made.id);
  await expect(Users.showCurrentUser()).rejects.toThrow(/invalid_token/);
  await clientFor(String(next.token)).PersonalAccessTokens.remove();
  expect(await root.PersonalAccessTokens.show({ tokenId: next.id })).toMatchObject({ revoked: true, active: false });
});

it('Keys, Metadata: show', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-keys-'));
  const { client, username } = await newUser('keyed');
  const key = await client.UserSSHKeys.create('laptop', makeSshKey(folder, 'laptop').publicKey);
  rmSync(folder, { recursive: true, force: true });
  expect(await root.Keys.show({ keyId: key.id })).toMatchObject({ id: key.id, title: 'laptop', user: { username } });
  expect(await client.Metadata.show()).toMatchObject({ version: expect.any(String), revision: expect.any(String) });
});
