import { callerNamed, groupNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* The community edition, without features of higher tiers. */

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest({ EDITION: 'community' });
  gateway.knowCaller('ada', callerNamed('ada'));
  gateway.knowGroup(groupNamed('g', { id: 1, visibility: 'public' }));
});
afterAll(() => gateway.stop());

const statusOf = async (path: string) => (await gateway.fetch(path, { token: 'ada' })).status;

// Regression: 404, as if the path did not exist.
it.each(['issues_count', 'merge_requests_count', 'new_members_count'])('refuses the %s of a group', async (count) => {
  expect(await statusOf(`/api/v4/analytics/group_activity/${count}?group_path=g`)).toBe(403);
});

it('has no epics', async () => {
  expect(await statusOf('/api/v4/groups/1/epics')).toBe(404);
});
