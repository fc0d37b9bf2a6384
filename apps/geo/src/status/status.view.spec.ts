import type { GeoNodeDocument } from '../node/node.schema';
import { viewStatus } from './status.view';

const facts = {
  node: { _id: 7, selectiveSyncType: null } as GeoNodeDocument,
  address: 'https://moothall.example.com/api/v4/geo_nodes/7',
  lacksApplication: false,
};
const report = (ageSeconds: number, health = '') => ({
  toldAt: new Date(Date.now() - ageSeconds * 1000),
  health,
  version: null,
  revision: null,
  counters: { repositories_count: 8, repositories_verified_count: 1, wikis_count: 0, wikis_synced_count: 0 },
});

it('is healthy while it reports that', () => {
  expect(viewStatus(facts, report(500))).toMatchObject({ healthy: true, health: 'Healthy', health_status: 'Healthy' });
  expect(viewStatus(facts, report(700))).toMatchObject({
    healthy: false,
    health: 'Status has not been updated in the past 10 minutes',
    health_status: 'Unhealthy',
  });
  expect(viewStatus(facts, report(0, 'No disk'))).toMatchObject({ healthy: false, health: 'No disk' });
});

it('has each counter, and the shares of known ones', () => {
  expect(viewStatus(facts, report(0))).toMatchObject({
    repositories_count: 8,
    repositories_verified_in_percentage: '12.50%',
    repositories_synced_count: null,
    wikis_count: 0,
    wikis_synced_in_percentage: '0.00%',
    lfs_objects_count: null,
    _links: { self: `${facts.address}/status`, node: facts.address },
  });
});
