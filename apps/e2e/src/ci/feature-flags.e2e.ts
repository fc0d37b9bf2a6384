import { newUser, uniqueName } from '../server/connection';

/* Feature flags, their lists of users, and freeze periods, by @gitbeaker/rest. */

let user: Awaited<ReturnType<typeof newUser>>;
let id: number;
beforeAll(async () => {
  user = await newUser('flagger');
  ({ id } = await user.client.Projects.create({ name: uniqueName('flagged') }));
});

it('FeatureFlags and FeatureFlagUserLists: make, list, show, change, remove', async () => {
  const { FeatureFlags, FeatureFlagUserLists } = user.client;
  const list = await FeatureFlagUserLists.create(id, 'friends', 'ann,bob');
  expect(list).toMatchObject({ iid: 1, name: 'friends', user_xids: 'ann,bob' });
  const strategies = [
    { name: 'default', parameters: {}, scopes: [{ environmentScope: 'staging' }] },
    { name: 'gitlabUserList', parameters: {}, userListId: list.id, scopes: [{ environmentScope: '*' }] },
  ];
  const made = await FeatureFlags.create(id, 'dark-mode', 'new_version_flag', { strategies } as never);
  expect(made).toMatchObject({
    ...{ name: 'dark-mode', active: true },
    strategies: [{ name: 'default', scopes: [{ environment_scope: 'staging' }] }, { user_list: { name: 'friends' } }],
  });
  expect(await FeatureFlags.edit(id, 'dark-mode', { active: false })).toMatchObject({ active: false });
  expect(await FeatureFlags.all(id, { scope: 'disabled' })).toMatchObject([{ name: 'dark-mode' }]);
  expect(await FeatureFlags.show(id, 'dark-mode')).toMatchObject({ version: 'new_version_flag' });
  await expect(FeatureFlagUserLists.remove(id, 1)).rejects.toThrow('associated with a strategy');
  await FeatureFlags.remove(id, 'dark-mode');
  await FeatureFlagUserLists.edit(id, 1, { name: 'all friends' });
  expect(await FeatureFlagUserLists.show(id, 1)).toMatchObject({ name: 'all friends', user_xids: 'ann,bob' });
  expect(await FeatureFlagUserLists.all(id, { search: 'FRIENDS' })).toHaveLength(1);
  await FeatureFlagUserLists.remove(id, 1);
  expect(await FeatureFlagUserLists.all(id)).toEqual([]);
});

it('FreezePeriods: make, list, show, change, remove', async () => {
  const { FreezePeriods } = user.client;
  const made = await FreezePeriods.create(id, '0 23 * * 5', '0 7 * * 1', { cronTimezone: 'Europe/Berlin' });
  expect(made).toMatchObject({ freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Europe/Berlin' });
  await FreezePeriods.edit(id, made.id, { freezeEnd: '0 8 * * 1' });
  expect(await FreezePeriods.show(id, made.id)).toMatchObject({ freeze_start: '0 23 * * 5', freeze_end: '0 8 * * 1' });
  expect(await FreezePeriods.all(id)).toHaveLength(1);
  await FreezePeriods.remove(id, made.id);
  expect(await FreezePeriods.all(id)).toEqual([]);
});
