import {
  commonErrors,
  createGeoNode,
  deleteGeoNode,
  type GeoNode,
  getGeoNode,
  isError,
  listGeoNodes,
  OperationError,
  renewNodeApplication,
  repairGeoNode,
  updateGeoNode,
} from '@moothall/contracts';
import { itWithoutFaults, listAll, shareBetweenTests, uniqueId } from '@moothall/testing';
import { type GeoBed, startGeoService } from './geo-under-test';

const geo = shareBetweenTests(startGeoService);

const failure = (value: object) => expect.objectContaining({ value: expect.objectContaining(value) });
const all = ({ call, context }: GeoBed) => listAll((page) => call(listGeoNodes, page as never, context));

it('stores a node with the defaults of the interface', async () => {
  const { bed } = geo;
  const { oauth_application, ...node } = await bed.node({ name: 'berlin', url: 'https://berlin.example.com/' });
  expect(oauth_application).toEqual({
    application_id: `application-${node.id}`,
    secret: bed.applications.get(node.id),
  });
  const self = `http://moothall.test/api/v4/geo_nodes/${node.id}`;
  expect(node).toEqual({
    id: node.id,
    name: 'berlin',
    url: 'https://berlin.example.com/',
    internal_url: 'https://berlin.example.com/',
    primary: false,
    enabled: true,
    current: false,
    files_max_capacity: 10,
    repos_max_capacity: 25,
    verification_max_capacity: 100,
    container_repositories_max_capacity: 10,
    selective_sync_type: null,
    selective_sync_shards: [],
    selective_sync_namespace_ids: [],
    minimum_reverification_interval: 7,
    sync_object_storage: false,
    clone_protocol: 'http',
    web_edit_url: `http://moothall.test/admin/geo/nodes/${node.id}/edit`,
    web_geo_projects_url: 'https://berlin.example.com/admin/geo/projects',
    _links: { self, status: `${self}/status`, repair: `${self}/repair` },
  } satisfies GeoNode);
  expect(await bed.call(getGeoNode, { id: node.id }, bed.context)).toEqual(node);
  expect(await all(bed)).toContainEqual(node);
});

it('changes only the given fields', async () => {
  const { bed } = geo;
  const { oauth_application: _, ...node } = await bed.node({ selective_sync_type: 'shards', repos_max_capacity: 3 });
  const { id, name } = node;
  const given = {
    internal_url: 'http://10.0.0.7',
    selective_sync_type: 'namespaces',
    selective_sync_shards: ['default', 'default'],
    selective_sync_namespace_ids: [2, 1, 2],
    enabled: false,
    sync_object_storage: true,
  };
  const changed = await bed.call(updateGeoNode, { id, ...given }, bed.context);
  expect(changed).toEqual({
    ...node,
    ...given,
    selective_sync_shards: ['default'],
    selective_sync_namespace_ids: [2, 1],
  });
  const back = { selective_sync_type: null, internal_url: '' };
  expect(await bed.call(updateGeoNode, { id, name: `${name}-2`, ...back }, bed.context)).toEqual({
    ...changed,
    name: `${name}-2`,
    selective_sync_type: null,
    internal_url: node.url,
  });
});

it.each([
  [{ name: ' ' }, { name: ["can't be blank"] }],
  [{ url: 'berlin' }, { url: ['is blocked: Only allowed schemes are http, https'] }],
  [{ files_max_capacity: 0 }, { files_max_capacity: ['must be greater than 0'] }],
  [{ selective_sync_type: 'all' }, { selective_sync_type: ['is not included in the list'] }],
])('refuses %j', async (wrong, message) => {
  const { bed } = geo;
  const refused = failure({ code: commonErrors.invalidRecord.code, message });
  await expect(bed.node(wrong)).rejects.toEqual(refused);
  const { id, name, url } = await bed.node();
  await expect(bed.call(updateGeoNode, { id, name, url, ...wrong }, bed.context)).rejects.toEqual(refused);
  expect(await bed.call(getGeoNode, { id }, bed.context)).toMatchObject({ name, url });
});

it('refuses a used name or address, in any spelling', async () => {
  const { bed } = geo;
  const { name, url } = await bed.node();
  const nameTaken = failure({ message: { name: ['has already been taken'] } });
  const urlTaken = failure({ message: { url: ['has already been taken'] } });
  await expect(bed.node({ name })).rejects.toEqual(nameTaken);
  await expect(bed.node({ url: url.toUpperCase().replace(/\/$/, '') })).rejects.toEqual(urlTaken);
  const other = await bed.node();
  const asked = { id: other.id, name: other.name, url: other.url };
  await expect(bed.call(updateGeoNode, { ...asked, name }, bed.context)).rejects.toEqual(nameTaken);
  await expect(bed.call(updateGeoNode, { ...asked, url }, bed.context)).rejects.toEqual(urlTaken);
  // Its own name is not a conflict.
  expect(await bed.call(updateGeoNode, { ...asked, enabled: false }, bed.context)).toMatchObject({ enabled: false });
});

it('answers 404 for nodes that are not there', async () => {
  const { bed } = geo;
  const missing = failure({ code: 'geo.node_not_found' });
  const id = 999_999;
  await expect(bed.call(getGeoNode, { id }, bed.context)).rejects.toEqual(missing);
  const changes = { id, name: 'nowhere', url: 'https://nowhere.example.com' };
  await expect(bed.call(updateGeoNode, changes, bed.context)).rejects.toEqual(missing);
  await expect(bed.call(deleteGeoNode, { id }, bed.context)).rejects.toEqual(missing);
  await expect(bed.call(repairGeoNode, { id }, bed.context)).rejects.toEqual(missing);
});

it('renews the application of a node, and removes it with the node', async () => {
  const { bed } = geo;
  const { id, oauth_application: first } = await bed.node();
  const repaired = await bed.call(repairGeoNode, { id }, bed.context);
  expect(repaired.oauth_application?.secret).toBe(bed.applications.get(id));
  expect(repaired.oauth_application?.secret).not.toBe(first?.secret);
  await bed.call(deleteGeoNode, { id }, bed.context);
  expect(bed.applications.has(id)).toBe(false);
  await expect(bed.call(getGeoNode, { id }, bed.context)).rejects.toEqual(failure({ code: 'geo.node_not_found' }));
});

it('stores no node if its application cannot be created', async () => {
  const { bed, under } = geo;
  const name = `alone-${uniqueId()}`;
  under.respond(renewNodeApplication, () => commonErrors.unavailable());
  try {
    await expect(bed.node({ name })).rejects.toEqual(failure({ code: commonErrors.unavailable.code }));
  } finally {
    under.respond(renewNodeApplication, ({ node_id }) => {
      bed.applications.set(node_id, 'secret');
      return { application_id: `application-${node_id}`, secret: 'secret' };
    });
  }
  expect((await all(bed)).filter((node) => node.name === name)).toEqual([]);
  expect(await bed.node({ name })).toMatchObject({ name });
});

it('has one primary, which needs no application, and is this site by its address', async () => {
  const { bed } = geo;
  const { id, ...primary } = await bed.node({ primary: true, url: 'http://MOOTHALL.test/' });
  expect(primary).toMatchObject({ primary: true, current: true });
  expect(primary).not.toHaveProperty('oauth_application');
  expect(primary).not.toHaveProperty('web_geo_projects_url');
  expect(await bed.call(repairGeoNode, { id }, bed.context)).toEqual({ id, ...primary });
  const taken = failure({ message: { primary: ['node already exists'] } });
  await expect(bed.node({ primary: true })).rejects.toEqual(taken);
  const other = await bed.node();
  const asked = { id: other.id, name: other.name, url: other.url, primary: true };
  await expect(bed.call(updateGeoNode, asked, bed.context)).rejects.toEqual(taken);
  await bed.call(deleteGeoNode, { id }, bed.context);
  expect(await bed.call(updateGeoNode, asked, bed.context)).toMatchObject({ primary: true });
  await bed.call(deleteGeoNode, { id: other.id }, bed.context);
});

itWithoutFaults('stores one name once and one primary under concurrent requests', async () => {
  const { bed } = geo;
  const name = `wanted-${uniqueId()}`;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => bed.node({ name, url: `https://${name}-${at}.example.com` })),
  );
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as OperationError] : []));
  expect(refused.map(({ value }) => value.message)).toEqual(Array(7).fill({ name: ['has already been taken'] }));
  const primaries = await Promise.allSettled(Array.from({ length: 8 }, () => bed.node({ primary: true })));
  const made = primaries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(made).toHaveLength(1);
  expect((await all(bed)).filter(({ primary }) => primary)).toMatchObject([{ id: made[0]!.id }]);
  await bed.call(deleteGeoNode, { id: made[0]!.id }, bed.context);
});

describe('a site that is a secondary', () => {
  const secondary = shareBetweenTests(() => startGeoService({ GEO_ROLE: 'secondary', GEO_NODE_NAME: 'oslo' }));

  it('is the node of its name, and refuses changes of nodes', async () => {
    const { bed } = secondary;
    const made = await bed.call(createGeoNode, { name: 'oslo', url: 'https://oslo.example.com' }, bed.context);
    expect(made).toMatchObject({ current: true, primary: false });
    // Applications are stored by the primary.
    expect(made).not.toHaveProperty('oauth_application');
    const { id, name, url } = made;
    for (const ask of [
      () => bed.call(updateGeoNode, { id, name, url, enabled: false }, bed.context),
      () => bed.call(deleteGeoNode, { id }, bed.context),
      () => bed.call(repairGeoNode, { id }, bed.context),
    ]) {
      const error = await ask().catch((caught: unknown) => caught);
      expect(isError(error, commonErrors.forbidden)).toBe(true);
    }
    expect(await bed.call(getGeoNode, { id }, bed.context)).toMatchObject({ enabled: true });
  });
});
