import {
  authenticateBasic,
  authenticateNode,
  authorize,
  createApplication,
  deleteApplication,
  listApplications,
  nodesWithApplication,
  type OperationError,
  removeNodeApplication,
  renewNodeApplication,
  tokenRevoked,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { eventually, itWithoutFaults, listAll, shareBetweenTests, uniqueId } from '@moothall/testing';
import { oauthOf } from './oauth-steps';
import { asAdministrator, startIdentity } from './service-under-test';

const identity = shareBetweenTests(() => startIdentity());

const renew = (node_id: number, over: object = {}) =>
  identity.client.call(renewNodeApplication, {
    node_id,
    name: `node-${node_id}`,
    url: `https://node-${node_id}.example.com/`,
    ...over,
  });
const nodeOf = async (application_id: string, secret: string) =>
  (await identity.client.call(authenticateNode, { application_id, secret })).node_id;
const knownOf = (...node_ids: number[]) => identity.client.call(nodesWithApplication, { node_ids });
const applicationOf = async (uid: string) => {
  const all = await listAll((page) => identity.client.call(listApplications, page as never, asAdministrator));
  return all.find(({ application_id }) => application_id === uid);
};

it('recognises nodes by their applications, which can be renewed', async () => {
  const node = uniqueId();
  expect(await knownOf(node)).toEqual([]);
  const first = await renew(node);
  expect(await nodeOf(first.application_id, first.secret)).toBe(node);
  expect(await nodeOf(first.application_id, 'guessed')).toBeNull();
  expect(await nodeOf('unknown', first.secret)).toBeNull();
  expect(await applicationOf(first.application_id)).toMatchObject({
    application_name: `Geo node: node-${node}`,
    callback_url: `https://node-${node}.example.com/oauth/geo/callback`,
    confidential: true,
  });

  const second = await renew(node, { name: 'berlin' });
  expect(await nodeOf(first.application_id, first.secret)).toBeNull();
  expect(await nodeOf(second.application_id, second.secret)).toBe(node);
  expect(await applicationOf(first.application_id)).toBeUndefined();
  expect(await applicationOf(second.application_id)).toMatchObject({ application_name: 'Geo node: berlin' });
  expect(await knownOf(node, uniqueId())).toEqual([node]);
});

it('refuses another application in place of that of a node', async () => {
  const given = { name: 'CI', redirect_uri: 'https://ci.example.com', scopes: 'api' };
  const other = await identity.client.call(createApplication, given, asAdministrator);
  expect(await nodeOf(other.application_id, other.secret)).toBeNull();
});

it('removes it with the node, or by request of an administrator', async () => {
  const [one, other] = [uniqueId(), uniqueId()];
  const { application_id, secret } = await renew(one);
  const { id } = (await applicationOf(application_id))!;
  await identity.client.call(deleteApplication, { id }, asAdministrator);
  expect(await nodeOf(application_id, secret)).toBeNull();
  expect(await knownOf(one)).toEqual([]);
  await identity.client.call(removeNodeApplication, { node_id: one });

  const again = await renew(one);
  const kept = await renew(other);
  await identity.client.call(removeNodeApplication, { node_id: one });
  await identity.client.call(removeNodeApplication, { node_id: one });
  expect(await nodeOf(again.application_id, again.secret)).toBeNull();
  expect(await nodeOf(kept.application_id, kept.secret)).toBe(other);
});

it('asks users for consent before it acts for them', async () => {
  const node = uniqueId();
  const { application_id } = await renew(node);
  const { browser } = await oauthOf(identity).signedIn();
  const asked = { client_id: application_id, response_type: 'code', scope: 'read_user' };
  const redirect_uri = `https://node-${node}.example.com/oauth/geo/callback`;
  expect(await browser.ask(authorize, { ...asked, redirect_uri })).toMatchObject({ status: 200 });
});

itWithoutFaults('has one of many that are created concurrently', async () => {
  const node = uniqueId();
  const made = await Promise.all(Array.from({ length: 8 }, () => renew(node)));
  const good = await Promise.all(made.map(({ application_id, secret }) => nodeOf(application_id, secret)));
  expect(good.filter((found) => found === node)).toHaveLength(1);
});

it('lets a node in by it, with one scope, and by nothing that was renewed or removed', async () => {
  const node = uniqueId();
  const signIn = ({ application_id: username, secret: password }: { application_id: string; secret: string }) =>
    identity.client.call(authenticateBasic, { username, password }).then(
      ({ caller }) => caller,
      (error: OperationError) => error.code,
    );
  const isPublished = (hash: string) => identity.events(tokenRevoked).some(({ data }) => data.token_sha256 === hash);
  const first = await renew(node);
  expect(await signIn(first)).toMatchObject({ id: -node, isAdmin: true, credential: 'geo_node', scopes: ['geo'] });
  expect(await signIn({ ...first, secret: 'guessed' })).toBe('common.unauthorized');
  expect(await signIn({ ...first, application_id: 'f'.repeat(64) })).toBe('common.unauthorized');
  const second = await renew(node);
  expect(await signIn(first)).toBe('common.unauthorized');
  await eventually(() => isPublished(sha256(first.secret)), 'the end of the former secret');
  expect(await signIn(second)).toMatchObject({ id: -node });
  await identity.client.call(removeNodeApplication, { node_id: node });
  expect(await signIn(second)).toBe('common.unauthorized');
  await eventually(() => isPublished(sha256(second.secret)), 'the end of the secret');

  const given = { name: 'CI', redirect_uri: 'https://ci.example.com', scopes: 'api' };
  const other = await identity.client.call(createApplication, given, asAdministrator);
  expect(await signIn(other)).toBe('common.unauthorized');
});
