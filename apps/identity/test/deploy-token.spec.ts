import {
  authenticateBasic,
  authenticateDeployToken,
  authenticateToken,
  createGroupDeployToken,
  createProjectDeployToken,
  getProjectDeployToken,
  groupDeleted,
  listDeployTokens,
  listGroupDeployTokens,
  listProjectDeployTokens,
  projectDeleted,
  revokeProjectDeployToken,
  tokenRevoked,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { callerNamed, eventually, groupNamed, projectNamed, type ServiceUnderTest } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { asAdministrator, failure, startIdentity } from './service-under-test';

let identity: ServiceUnderTest;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity?.stop());

const caller = callerNamed('maintainer');
const scopes = ['read_repository', 'read_package_registry'] as const;
const request = { name: 'release', scopes: [...scopes] };
const unauthorized = failure({ code: 'common.unauthorized' });

const inProject = () => {
  const project = projectNamed('deployed', { accessLevel: 40 });
  const context = { caller, project };
  const id = String(project.id);
  const create = (over: object = {}) =>
    identity.client.call(createProjectDeployToken, { id, ...request, ...over }, context);
  const list = (active?: boolean) => identity.client.call(listProjectDeployTokens, { id, active }, context);
  return { id, project, context, create, list };
};

const signIn = (username: string, password: string) =>
  identity.client.call(authenticateBasic, { username, password, ip: '127.0.0.1' });
const show = (token: string) => identity.client.call(authenticateDeployToken, { token_sha256: sha256(token) });

it('are created with a user name that has their number, and shown once', async () => {
  const { id, context, create, list } = inProject();
  const { token, ...shown } = await create();
  expect(token).toMatch(/^gldt-[\w-]{20}$/);
  expect(shown).toEqual({
    id: shown.id,
    name: 'release',
    username: `gitlab+deploy-token-${shown.id}`,
    expires_at: null,
    revoked: false,
    expired: false,
    scopes,
  });
  expect((await list()).items).toEqual([shown]);
  const one = { id, token_id: shown.id };
  await expect(identity.client.call(getProjectDeployToken, one, context)).resolves.toEqual(shown);
  const all = await identity.client.call(listDeployTokens, { page: 1, per_page: 100 }, asAdministrator);
  expect(all.items).toContainEqual(shown);
});

it('may end today', async () => {
  const today = new Date().toISOString().slice(0, 10);
  await expect(inProject().create({ expires_at: today })).resolves.toMatchObject({
    expires_at: `${today}T00:00:00.000Z`,
  });
});

it('have no user, and give access to their project or group', async () => {
  const { project, create } = inProject();
  const { token, id, username } = await create({ username: 'robot', expires_at: '2999-01-01T10:00:00Z' });
  const nobody = { id: -id, isAdmin: false, isExternal: true, credential: 'deploy_token', scopes };
  const known = {
    caller: { ...nobody, opens: { kind: 'project', id: project.id } },
    expires_at: '2999-01-01T10:00:00.000Z',
  };
  expect(username).toBe('robot');
  await expect(signIn('robot', token)).resolves.toMatchObject(known);
  await expect(show(token)).resolves.toMatchObject(known);
  const group = groupNamed('deployed', { accessLevel: 40 });
  const input = { id: String(group.id), ...request };
  const ofGroup = await identity.client.call(createGroupDeployToken, input, { caller, group });
  const { caller: acting } = await show(ofGroup.token);
  expect(acting.opens).toEqual({ kind: 'group', id: group.id });
});

it('are valid only with their user name, and only for their purpose', async () => {
  const { token, username } = await inProject().create();
  await expect(signIn('root', token)).rejects.toEqual(unauthorized);
  await expect(signIn(`${username}0`, token)).rejects.toEqual(unauthorized);
  await expect(signIn(username, `${token}x`)).rejects.toEqual(unauthorized);
  const token_sha256 = sha256(token);
  await expect(identity.client.call(authenticateToken, { token_sha256 })).rejects.toEqual(unauthorized);
});

it('are refused after they were revoked, which is published', async () => {
  const { id, context, create, list } = inProject();
  const { token, username, id: token_id } = await create();
  const other = await create();
  const revoke = () => identity.client.call(revokeProjectDeployToken, { id, token_id }, context);
  await Promise.all([revoke(), revoke()]);
  await expect(signIn(username, token)).rejects.toEqual(failure({ code: 'authentication.revoked' }));
  await eventually(() => identity.events(tokenRevoked).some(({ data }) => data.token_sha256 === sha256(token)));
  expect((await list()).items.map((one) => one.revoked)).toEqual([true, false]);
  expect((await list(true)).items.map((one) => one.id)).toEqual([other.id]);
});

it('end at their time', async () => {
  const { create, list } = inProject();
  const { id, token, username } = await create({ expires_at: '2999-01-01' });
  expect((await list(true)).items).toMatchObject([{ id, expired: false }]);
  const tokens = identity.running.app.get<Connection>(getConnectionToken()).collection('deploy_tokens');
  await tokens.updateOne({ _id: id as never }, { $set: { expiresAt: new Date() } });
  expect((await list()).items).toMatchObject([{ id, expired: true }]);
  await expect(signIn(username, token)).rejects.toEqual(failure({ code: 'authentication.expired' }));
  expect((await list(true)).items).toEqual([]);
});

it.each([
  [{ expires_at: '2001-01-01' }],
  [{ scopes: [] }],
  [{ scopes: ['api'] }],
  [{ scopes: ['write_repository'] }],
  [{ name: '' }],
  [{ username: 'with blanks' }],
  [{ username: '-x' }],
])('are refused with %j', async (over) => {
  const { create, list } = inProject();
  await expect(create(over)).rejects.toThrow();
  expect((await list()).total).toBe(0);
});

it('give access to their project only', async () => {
  const [one, other] = [inProject(), inProject()];
  const { id: token_id } = await one.create();
  const input = { id: other.id, token_id };
  const absent = failure({ code: 'deploy_token.not_found' });
  await expect(identity.client.call(getProjectDeployToken, input, other.context)).rejects.toEqual(absent);
  await expect(identity.client.call(revokeProjectDeployToken, input, other.context)).rejects.toEqual(absent);
  expect((await other.list()).total).toBe(0);
});

it('are deleted with their project or group', async () => {
  const { project, create } = inProject();
  const { token } = await create();
  await identity.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath, storage: 'default' });
  await eventually(() =>
    show(token).then(
      () => false,
      () => true,
    ),
  );
  const group = groupNamed('gone', { accessLevel: 40 });
  const input = { id: String(group.id), ...request };
  const context = { caller, group };
  const ofGroup = await identity.client.call(createGroupDeployToken, input, context);
  await identity.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath });
  await eventually(() =>
    show(ofGroup.token).then(
      () => false,
      () => true,
    ),
  );
  expect((await identity.client.call(listGroupDeployTokens, { id: input.id }, context)).total).toBe(0);
});
