import {
  addInstanceLicense,
  countIdentityRecords,
  deleteInstanceLicense,
  getInstanceLicense,
  listInstanceLicenses,
  mostLicenses,
  refreshBillableUsers,
  showInstanceLicense,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { refusal, startProjects, uniqueName } from './projects-under-test';

const projects = shareBetweenTests(() => startProjects());
let active: number;
beforeEach(async () => {
  active = 5;
  projects.respond(countIdentityRecords, () => ({ users: 9, active_users: active, ssh_keys: 0 }));
  // Licences belong to the instance, and each of these tests lists all of them.
  const root = await administrator();
  for (;;) {
    const { items } = await projects.ask(root, listInstanceLicenses, {});
    if (items.length === 0) break;
    for (const { id } of items) await projects.ask(root, deleteInstanceLicense, { id });
  }
});

const administrator = () => projects.user(undefined, { isAdmin: true });
const keyOf = (more: object = {}): string => {
  const written = { plan: 'premium', licensee: { Name: uniqueName('Ada') }, starts_at: '2020-01-01', ...more };
  return Buffer.from(JSON.stringify(written)).toString('base64');
};

it('is added, counted and deleted; the one that began last is in force', async () => {
  const root = await administrator();
  expect(await projects.ask(root, getInstanceLicense, {})).toBeNull();
  const first = await projects.ask(root, addInstanceLicense, {
    license: keyOf({ user_limit: 3, add_ons: { Locks: 1 } }),
  });
  expect(first).toMatchObject({
    ...{ plan: 'premium', starts_at: '2020-01-01', expires_at: null, expired: false, add_ons: { Locks: 1 } },
    ...{ user_limit: 3, active_users: 5, overage: 2, historical_max: 5, maximum_user_count: 5 },
  });
  const second = await projects.ask(root, addInstanceLicense, { license: keyOf({ starts_at: '2021-01-01' }) });
  const future = await projects.ask(root, addInstanceLicense, { license: keyOf({ starts_at: '2999-01-01' }) });
  const third = await projects.ask(root, addInstanceLicense, { license: keyOf() });
  expect(await projects.ask(root, getInstanceLicense, {})).toEqual(second);
  expect(await projects.ask(root, showInstanceLicense, { id: first.id })).toEqual(first);
  const { items } = await projects.ask(root, listInstanceLicenses, {});
  expect(items.map(({ id }) => id)).toEqual([third.id, future.id, second.id, first.id]);
  await projects.ask(root, deleteInstanceLicense, { id: second.id });
  expect((await refusal(projects.ask(root, deleteInstanceLicense, { id: second.id }))).code).toBe('license.not_found');
  expect((await refusal(projects.ask(root, refreshBillableUsers, { id: second.id }))).code).toBe('license.not_found');
  expect((await refusal(projects.ask(root, showInstanceLicense, { id: second.id }))).code).toBe('license.not_found');
  expect(await projects.ask(root, getInstanceLicense, {})).toEqual(third);
});

it('remembers the most users that were counted for it', async () => {
  const root = await administrator();
  const { id } = await projects.ask(root, addInstanceLicense, { license: keyOf({ user_limit: 6 }) });
  active = 8;
  expect(await projects.ask(root, getInstanceLicense, {})).toMatchObject({ historical_max: 8, overage: 2 });
  active = 7;
  expect(await projects.ask(root, refreshBillableUsers, { id })).toEqual({ success: true });
  active = 4;
  expect(await projects.ask(root, getInstanceLicense, {})).toMatchObject({
    historical_max: 7,
    active_users: 4,
    overage: 0,
  });
});

it('is stored once for the same key, also under concurrent requests', async () => {
  const root = await administrator();
  const license = keyOf();
  const both = await Promise.all([1, 2].map(() => projects.ask(root, addInstanceLicense, { license })));
  expect(both[1]).toEqual(both[0]);
  expect(await projects.ask(root, addInstanceLicense, { license: `${license}\n` })).toEqual(both[0]);
  expect((await projects.ask(root, listInstanceLicenses, {})).total).toBe(1);
});

it('has a limited number, also under concurrent requests', async () => {
  const root = await administrator();
  for (let added = 1; added < mostLicenses; added++) await projects.ask(root, addInstanceLicense, { license: keyOf() });
  const last = [1, 2, 3].map(() => projects.ask(root, addInstanceLicense, { license: keyOf() }));
  const ends = await Promise.allSettled(last);
  expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'license.too_many' });
  expect((await projects.ask(root, listInstanceLicenses, {})).total).toBeLessThanOrEqual(mostLicenses);
});

it('is for administrators', async () => {
  const ann = await projects.user();
  const asked = [
    () => projects.ask(ann, getInstanceLicense, {}),
    () => projects.ask(ann, addInstanceLicense, { license: keyOf() }),
  ];
  for (const ask of asked) expect((await refusal(ask())).code).toBe('common.forbidden');
});
