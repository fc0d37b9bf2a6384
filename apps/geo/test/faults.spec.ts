import {
  createGeoNode,
  deleteGeoNode,
  getGeoNode,
  getGeoStatus,
  listGeoNodes,
  repairGeoNode,
  reportGeoStatus,
  updateGeoNode,
} from '@moothall/contracts';
import { listAll, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { startGeoService } from './geo-under-test';

meetFaults();

/* Failures of the database or NATS. */

const geo = shareBetweenTests(startGeoService);

it('a node exists, is changed or deleted if acknowledged', async () => {
  const { bed, under } = geo;
  const { call, context } = bed;
  const made = await throughFaults(under.client, createGeoNode, () => bed.node());
  const listed = await listAll((page) => call(listGeoNodes, page as never, context));
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  const names = await throughFaults(under.client, updateGeoNode, async (turn) => {
    const { id, name, url } = await bed.node();
    await call(updateGeoNode, { id, name, url, repos_max_capacity: turn + 1 }, context);
    return { id, repos_max_capacity: turn + 1 };
  });
  for (const { id, ...seen } of names) expect(await call(getGeoNode, { id }, context)).toMatchObject(seen);
  const removed = await throughFaults(under.client, deleteGeoNode, async () => {
    const { id } = await bed.node();
    await call(deleteGeoNode, { id }, context);
    return id;
  });
  const left = (await listAll((page) => call(listGeoNodes, page as never, context))).map(({ id }) => id);
  expect(removed.filter((id) => left.includes(id) || bed.applications.has(id))).toEqual([]);
}, 300_000);

it('is the application of the answer, with its values', async () => {
  const { bed, under } = geo;
  const { call, context } = bed;
  const repaired = await throughFaults(under.client, repairGeoNode, async () => {
    const { id } = await bed.node();
    return call(repairGeoNode, { id }, context);
  });
  for (const { id, oauth_application } of repaired) expect(oauth_application?.secret).toBe(bed.applications.get(id));
  const statuses = await throughFaults(under.client, reportGeoStatus, async (turn) => {
    const { id, oauth_application } = await bed.node();
    await call(reportGeoStatus, { ...oauth_application!, repositories_count: turn });
    return { id, repositories_count: turn };
  });
  for (const { id, ...seen } of statuses) expect(await call(getGeoStatus, { id }, context)).toMatchObject(seen);
}, 300_000);
