import { ask, connection, newUser, root, uniqueName } from '../server/connection';

interface Answer {
  id: number;
  oauth_application: { application_id: string; secret: string };
  healthy: boolean;
  projects_count: number;
  repositories_count: number;
}

const json = async (path: string, init: { method?: string; body?: object; token?: string } = {}) => {
  const { body, token = connection.token, method } = init;
  const headers = { 'content-type': 'application/json' };
  const sent = { ...(method && { method }), ...(body && { headers, body: JSON.stringify(body) }) };
  const response = await ask(`/api/v4${path}`, { token, ...sent });
  const text = await response.text();
  return { status: response.status, body: (text && JSON.parse(text)) as Answer };
};
const named = () => {
  const name = uniqueName('node');
  return { name, url: `https://${name}.example.com/` };
};

it('declares replication nodes through the client', async () => {
  const { name, url } = named();
  const made = await root.GeoNodes.create(name, url, { reposMaxCapacity: 3, selectiveSyncType: 'shards' });
  expect(made).toMatchObject({ name, url, internal_url: url, primary: false, current: false, repos_max_capacity: 3 });
  const changed = await root.GeoNodes.edit(made.id, { name, url, enabled: false, selectiveSyncShards: ['default'] });
  expect(changed).toMatchObject({ enabled: false, repos_max_capacity: 3, selective_sync_shards: ['default'] });
  expect(await root.GeoNodes.show(made.id)).toEqual(changed);
  expect(await root.GeoNodes.repair(made.id)).toMatchObject({ id: made.id, enabled: false });
  await root.GeoNodes.remove(made.id);
  await expect(root.GeoNodes.show(made.id)).rejects.toThrow(/Not Found/);
});

it('answers under the newer name, too', async () => {
  const { name, url } = named();
  const made = await root.GeoSites.create(name, url);
  const changed = await root.GeoSites.edit(made.id, { internalUrl: 'http://10.0.0.1' });
  expect(changed).toMatchObject({ name, url, internal_url: 'http://10.0.0.1' });
  expect(await root.GeoSites.show(made.id)).toMatchObject({ id: made.id, name });
  expect((await root.GeoSites.all()).map(({ id }) => id)).toContain(made.id);
  await root.GeoSites.repair(made.id);
  await root.GeoSites.remove(made.id);
});

it('reports the status of a secondary, by its application until that is renewed', async () => {
  const { body: made } = await json('/geo_nodes', { method: 'POST', body: named() });
  expect((await json(`/geo_nodes/${made.id}/status`)).status).toBe(404);
  const report = (credentials: object) =>
    json('/geo/status', { method: 'POST', token: '', body: { ...credentials, repositories_count: 4 } });
  expect(await report(made.oauth_application)).toMatchObject({ status: 201, body: { geo_node_id: made.id } });
  expect(await root.GeoNodes.showStatus(made.id)).toMatchObject({ repositories_count: 4, healthy: true });
  expect((await root.GeoNodes.allStatuses()).map(({ geo_node_id }) => geo_node_id)).toContain(made.id);

  const { body: repaired } = await json(`/geo_nodes/${made.id}/repair`, { method: 'POST' });
  expect((await report(made.oauth_application)).status).toBe(401);
  expect((await report(repaired.oauth_application)).status).toBe(201);

  // Its application can be removed like any other: its status then reports what is missing, and a repair restores it.
  const { application_id } = repaired.oauth_application;
  const own = (await root.Applications.all()).find((one) => one.application_id === application_id);
  await root.Applications.remove(Number(own?.id));
  expect(await root.GeoNodes.showStatus(made.id)).toMatchObject({ missing_oauth_application: true });
  await root.GeoNodes.repair(made.id);
  expect(await root.GeoNodes.showStatus(made.id)).toMatchObject({ missing_oauth_application: false });
  expect((await json(`/geo_nodes/${made.id}`, { method: 'DELETE' })).status).toBe(204);
});

it('has one primary, which is this site with the counts of its services', async () => {
  const given = { name: uniqueName('primary'), url: connection.url, primary: true };
  const { status, body: primary } = await json('/geo_nodes', { method: 'POST', body: given });
  expect({ status, primary }).toMatchObject({ status: 201, primary: { primary: true, current: true } });
  const second = await json('/geo_nodes', { method: 'POST', body: { ...named(), primary: true } });
  expect(second).toEqual({ status: 400, body: { message: { primary: ['node already exists'] } } });
  const { user } = await newProjectOf();
  const { body: before } = await json(`/geo_nodes/${primary.id}/status`);
  expect(before).toMatchObject({ geo_node_id: primary.id, healthy: true, health: 'Healthy', version: '13.6.0' });
  expect(before.repositories_count).toBeGreaterThan(0);
  expect(before.projects_count).toBeGreaterThan(0);
  expect((await json('/geo_nodes/current/failures')).status).toBe(400);
  for (const path of ['/geo_nodes', `/geo_nodes/${primary.id}`, '/geo_nodes/status', '/geo_nodes/current/failures'])
    expect((await json(path, { token: user.token })).status).toBe(403);
  expect((await json(`/geo_nodes/${primary.id}`, { method: 'DELETE' })).status).toBe(204);
});

async function newProjectOf() {
  const user = await newUser();
  return { user, project: await user.client.Projects.create({ name: uniqueName('project') }) };
}

it('refuses an invalid node', async () => {
  const { name, url } = named();
  const refused = async (body: object) => (await json('/geo_nodes', { method: 'POST', body })).body;
  expect(await refused({ name })).toEqual({ error: 'url is missing' });
  expect(await refused({ name, url, files_max_capacity: 0 })).toEqual({
    message: { files_max_capacity: ['must be greater than 0'] },
  });
  const { body: made } = await json('/geo_nodes', { method: 'POST', body: { name, url } });
  expect(await refused({ name, url: 'https://other.example.com' })).toEqual({
    message: { name: ['has already been taken'] },
  });
  expect(await refused({ name: `${name}-2`, url })).toEqual({ message: { url: ['has already been taken'] } });
  await root.GeoNodes.remove(made.id);
});
