import {
  Access,
  createFeatureFlag,
  createFeatureFlagUserList,
  deleteFeatureFlag,
  deleteFeatureFlagUserList,
  featureFlagErrors,
  getFeatureFlag,
  listFeatureFlags,
  listFeatureFlagUserLists,
  projectDeleted,
  updateFeatureFlag,
  updateFeatureFlagUserList,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

describe('a feature flag', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = () => {
    const project = ci.stubs.project();
    const as = ci.stubs.as(ci.stubs.user('developer'), project, Access.Developer);
    const add = (name: string, strategies: object[] = [], over = {}) =>
      ci.call(createFeatureFlag, { id: '1', name, version: 'new_version_flag', strategies, ...over }, as);
    const change = (name: string, over: object) =>
      ci.call(updateFeatureFlag, { id: '1', feature_flag_name: name, ...over }, as);
    const list = async (over = {}) => (await ci.call(listFeatureFlags, { id: '1', ...over }, as)).items;
    const addList = (name: string, user_xids = 'ann,bob') =>
      ci.call(createFeatureFlagUserList, { id: '1', name, user_xids }, as);
    return { project, as, add, change, list, addList };
  };

  it('is created, listed, changed and deleted', async () => {
    const s = scene();
    const everywhere = { name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] };
    expect(await s.add('dark-mode', [everywhere], { description: 'night' })).toMatchObject({
      ...{ name: 'dark-mode', description: 'night', active: true, version: 'new_version_flag', scopes: [] },
      strategies: [{ name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }], user_list: null }],
    });
    await s.add('other', [], { active: false });
    expect(await s.list({ scope: 'disabled' })).toMatchObject([{ name: 'other' }]);
    expect(await s.list({ scope: 'enabled' })).toMatchObject([{ name: 'dark-mode' }]);
    expect(await s.change('dark-mode', { active: false, name: 'light' })).toMatchObject({
      ...{ name: 'light', active: false, description: 'night', strategies: [{ name: 'default' }] },
    });
    await expect(s.change('light', { name: 'other' })).rejects.toThrow('has already been taken');
    const gone = await ci.call(deleteFeatureFlag, { id: '1', feature_flag_name: 'light' }, s.as);
    expect(gone).toMatchObject({ name: 'light' });
    await expect(ci.call(getFeatureFlag, { id: '1', feature_flag_name: 'light' }, s.as)).rejects.toMatchObject({
      value: { code: featureFlagErrors.notFound.code },
    });
  });

  it('has strategies and scopes that are changed one by one', async () => {
    const s = scene();
    const made = await s.add('flag', [
      { name: 'userWithId', parameters: { userIds: 'ann,bob' }, scopes: [{ environment_scope: 'a' }] },
      { name: 'gradualRolloutUserId', parameters: { groupId: 'group', percentage: 50 } },
    ]);
    const [first, second] = made.strategies;
    const scopes = [{ environment_scope: 'b' }, { id: first!.scopes[0]!.id, _destroy: true }];
    const after = await s.change('flag', {
      strategies: [
        { id: first!.id, scopes },
        { id: second!.id, _destroy: true },
        { name: 'flexibleRollout', parameters: { groupId: 'x', rollout: '100', stickiness: 'random' } },
      ],
    });
    expect(after.strategies).toMatchObject([
      { id: first!.id, parameters: { userIds: 'ann,bob' }, scopes: [{ environment_scope: 'b' }] },
      { name: 'flexibleRollout' },
    ]);
    const more = (userIds: string) => ({ strategies: [{ name: 'userWithId', parameters: { userIds } }] });
    await Promise.all([s.change('flag', more('x')), s.change('flag', more('y')), s.change('flag', { active: false })]);
    const [flag] = await s.list();
    expect(flag).toMatchObject({ active: false });
    expect(flag!.strategies).toHaveLength(4);
  });

  it.each([
    ['a parameter of another kind', { name: 'default', parameters: { userIds: 'x' } }],
    ['no parameters', { name: 'flexibleRollout' }],
    ['more than all', { name: 'gradualRolloutUserId', parameters: { groupId: 'g', percentage: '101' } }],
    ['a user without a name', { name: 'userWithId', parameters: { userIds: 'a,,b' } }],
    ['no list', { name: 'gitlabUserList', parameters: {} }],
    ['a list that is not there', { name: 'gitlabUserList', parameters: {}, user_list_id: 999_999 }],
    ['a strategy that is not there', { id: 999_999, name: 'default' }],
    ['no name', { parameters: {} }],
    ['a scope without its name', { name: 'default', scopes: [{}] }],
    ['a scope that is not there', { name: 'default', scopes: [{ id: 999_999 }] }],
    ['too many scopes', { name: 'default', scopes: Array.from({ length: 51 }, () => ({ environment_scope: 'a' })) }],
    ['a strategy of no kind', { name: 'other' }],
  ])('is refused with %s', async (_what, strategy) => {
    const s = scene();
    await expect(s.add('flag', [strategy])).rejects.toThrow();
    expect(await s.list()).toEqual([]);
  });

  it.each(['Upper', '1st', 'a-', 'x'.repeat(64), ''])('is not named %s', async (name) => {
    await expect(scene().add(name)).rejects.toThrow('name');
  });

  it('uses user lists, which cannot be deleted while a flag uses them', async () => {
    const s = scene();
    const list = await s.addList('friends');
    expect(list).toMatchObject({ iid: 1, name: 'friends', user_xids: 'ann,bob', project_id: s.project.id });
    await expect(s.addList('friends')).rejects.toThrow('has already been taken');
    const flag = await s.add('flag', [{ name: 'gitlabUserList', parameters: {}, user_list_id: list.id }]);
    expect(flag.strategies).toMatchObject([{ user_list: { iid: 1, name: 'friends', user_xids: 'ann,bob' } }]);
    await ci.call(updateFeatureFlagUserList, { id: '1', iid: 1, user_xids: 'cleo' }, s.as);
    expect((await s.list())[0]!.strategies).toMatchObject([{ user_list: { user_xids: 'cleo' } }]);
    const remove = () => ci.call(deleteFeatureFlagUserList, { id: '1', iid: 1 }, s.as);
    await expect(remove()).rejects.toMatchObject({ value: { code: featureFlagErrors.listUsed.code } });
    await ci.call(deleteFeatureFlag, { id: '1', feature_flag_name: 'flag' }, s.as);
    await remove();
    expect((await ci.call(listFeatureFlagUserLists, { id: '1' }, s.as)).items).toEqual([]);
    await expect(remove()).rejects.toMatchObject({ value: { code: featureFlagErrors.listNotFound.code } });
  });

  it('has nothing of lists of another project', async () => {
    const list = await scene().addList('friends');
    const strategy = { name: 'gitlabUserList', parameters: {}, user_list_id: list.id };
    await expect(scene().add('flag', [strategy])).rejects.toThrow('user list is not found');
  });

  it('cannot be changed in an archived project, and is deleted with the project', async () => {
    const s = scene();
    await s.add('flag');
    await s.addList('friends');
    const archived = { ...s.as, project: { ...s.as.project!, isArchived: true } };
    const change = { id: '1', feature_flag_name: 'flag', active: false };
    await expect(ci.call(updateFeatureFlag, change, archived)).rejects.toMatchObject({
      value: { code: 'project.archived' },
    });
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    const lists = async () => (await ci.call(listFeatureFlagUserLists, { id: '1' }, s.as)).items;
    await eventually(async () => (await s.list()).length + (await lists()).length === 0);
  });
});
