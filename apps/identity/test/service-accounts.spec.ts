import {
  authenticateToken,
  createGroupServiceAccount,
  createServiceAccount,
  createServiceAccountToken,
  createUserToken,
  deleteGroupServiceAccount,
  getUser,
  groupDeleted,
  listGroupServiceAccounts,
  listServiceAccounts,
  listServiceAccountTokens,
  revokeServiceAccountToken,
  rotateServiceAccountToken,
  soleOwnedGroups,
  updateGroupServiceAccount,
  updateServiceAccount,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, groupNamed, itWithoutFaults, shareBetweenTests, uniqueId } from '@moothall/testing';
import { administrator, asAdministrator, callerFor, failure, makeUser, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());
const holderOf = (token: string) => identity.client.call(authenticateToken, { token_sha256: sha256(token) });

async function withGroup(isExternal = false) {
  const group = groupNamed(`group-${uniqueId()}`, { accessLevel: 50 });
  const context = { group, caller: callerFor(await makeUser(identity), { isExternal }) };
  return { group, context, ref: { id: String(group.id) } };
}

it('service accounts of the instance act by tokens that administrators make', async () => {
  const made = await identity.client.call(createServiceAccount, {}, asAdministrator);
  expect(made).toMatchObject({ name: 'Service account user', unconfirmed_email: null });
  expect(made.username).toMatch(/^service_account_[0-9a-f]{32}$/);
  expect(made.email).toBe(`${made.username}@noreply.moothall.test`);
  const given = { user_id: made.id, name: 't', scopes: ['api' as const] };
  const { token } = await identity.client.call(createUserToken, given, asAdministrator);
  expect((await holderOf(token)).caller).toMatchObject({ id: made.id, isAdmin: false });
  expect(await identity.client.call(getUser, { id: made.id }, asAdministrator)).toMatchObject({ bot: true });
  const { items } = await identity.client.call(listServiceAccounts, {}, asAdministrator);
  expect(items.map(({ id }) => id)).toContain(made.id);
  const sudo = { ...given, scopes: ['sudo' as const] };
  await expect(identity.client.call(createUserToken, sudo, asAdministrator)).rejects.toEqual(
    failure({ message: { scopes: ['can only contain available scopes'] } }),
  );
});

it('those of a group belong to it, and act by tokens that its owners create', async () => {
  const [{ context, ref }, other] = [await withGroup(), await withGroup()];
  const username = `robot-${uniqueId()}`;
  const made = await identity.client.call(createGroupServiceAccount, { ...ref, name: 'Robot', username }, context);
  expect(made).toMatchObject({ name: 'Robot', username });
  expect((await identity.client.call(listGroupServiceAccounts, ref, context)).items).toMatchObject([{ id: made.id }]);
  expect((await identity.client.call(listGroupServiceAccounts, other.ref, other.context)).items).toEqual([]);

  const account = { ...ref, user_id: made.id };
  const request = { ...account, name: 't', scopes: ['api' as const] };
  const { id: token_id, token } = await identity.client.call(createServiceAccountToken, request, context);
  expect((await holderOf(token)).caller).toMatchObject({ id: made.id });
  const rotated = await identity.client.call(rotateServiceAccountToken, { ...account, token_id }, context);
  await expect(holderOf(token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  const active = { ...account, state: 'active' as const };
  expect((await identity.client.call(listServiceAccountTokens, active, context)).items).toMatchObject([
    { id: rotated.id },
  ]);
  await identity.client.call(revokeServiceAccountToken, { ...account, token_id: rotated.id }, context);
  await expect(holderOf(rotated.token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));

  const foreign = { ...other.ref, user_id: made.id };
  const absent = failure({ code: 'user.not_found' });
  await expect(identity.client.call(deleteGroupServiceAccount, foreign, other.context)).rejects.toEqual(absent);
  await expect(
    identity.client.call(createServiceAccountToken, { ...request, ...foreign }, other.context),
  ).rejects.toEqual(absent);
  await identity.client.call(deleteGroupServiceAccount, account, context);
  await expect(identity.client.call(getUser, { id: made.id }, asAdministrator)).rejects.toEqual(absent);
});

it('other users are not found among them', async () => {
  const { context, ref } = await withGroup();
  const { id: user_id } = await makeUser(identity);
  const request = { ...ref, user_id, name: 't', scopes: ['api' as const] };
  const absent = failure({ code: 'user.not_found' });
  await expect(identity.client.call(createServiceAccountToken, request, context)).rejects.toEqual(absent);
  await expect(identity.client.call(updateServiceAccount, { user_id, name: 'x' }, asAdministrator)).rejects.toEqual(
    absent,
  );
});

it('a new address waits for its confirmation, and must be unique', async () => {
  const { context, ref } = await withGroup();
  const email = `robot-${uniqueId()}@example.com`;
  const made = await identity.client.call(createGroupServiceAccount, { ...ref, email }, context);
  expect(made).toMatchObject({ unconfirmed_email: email, email: expect.stringContaining('@noreply.') });
  const user = await makeUser(identity);
  const taken = { ...ref, email: user.email };
  await expect(identity.client.call(createGroupServiceAccount, taken, context)).rejects.toEqual(
    failure({ code: 'user_conflict.email_taken' }),
  );
  const named = { ...ref, username: user.username };
  await expect(identity.client.call(createGroupServiceAccount, named, context)).rejects.toEqual(
    failure({ code: 'user_conflict.username_taken' }),
  );
  const change = { ...ref, user_id: made.id, username: `renamed-${uniqueId()}` };
  expect(await identity.client.call(updateGroupServiceAccount, change, context)).toMatchObject({
    username: change.username,
    unconfirmed_email: email,
  });
  const broken = { ...ref, user_id: made.id, username: '-/' };
  await expect(identity.client.call(updateGroupServiceAccount, broken, context)).rejects.toEqual(
    failure({ code: 'common.invalid_record' }),
  );
});

itWithoutFaults('one of two concurrent ones with the same name is created', async () => {
  const { context, ref } = await withGroup();
  const given = { ...ref, username: `robot-${uniqueId()}` };
  const both = await Promise.allSettled(
    [1, 2].map(() => identity.client.call(createGroupServiceAccount, given, context)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('do not see more than their creator', async () => {
  const { context, ref } = await withGroup(true);
  const { id: user_id } = await identity.client.call(createGroupServiceAccount, ref, context);
  const request = { ...ref, user_id, name: 't', scopes: ['api' as const] };
  const { token } = await identity.client.call(createServiceAccountToken, request, context);
  expect((await holderOf(token)).caller).toMatchObject({ isExternal: true });
});

it('cannot be deleted as the only owner of a group, and are deleted with their group', async () => {
  const { group, context, ref } = await withGroup();
  const { id: user_id } = await identity.client.call(createGroupServiceAccount, ref, context);
  identity.respond(soleOwnedGroups, () => [1]);
  await expect(identity.client.call(deleteGroupServiceAccount, { ...ref, user_id }, context)).rejects.toEqual(
    failure({ code: 'user_conflict.sole_owner' }),
  );
  identity.respond(soleOwnedGroups, () => []);
  await identity.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath });
  await eventually(async () => {
    const { items } = await identity.client.call(listServiceAccounts, { per_page: 100 }, { caller: administrator });
    return items.every(({ id }) => id !== user_id);
  });
});
