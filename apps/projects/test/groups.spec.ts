import {
  addGroupMember,
  addProjectMember,
  claimUserPath,
  createGroup,
  createProject,
  deleteGroup,
  descendantGroups,
  getGroup,
  getGroupMember,
  getNamespace,
  getProject,
  getProjectMember,
  groupChanged,
  groupDeleted,
  highestRole,
  listAllProjectMembers,
  listDescendantGroups,
  listGroupMembers,
  listGroups,
  listNamespaces,
  listSubgroups,
  memberChanged,
  memberLevels,
  namespaceExists,
  projectChanged,
  projectDeleted,
  releaseUserPath,
  removeGroupMember,
  removeProjectMember,
  resolveGroup,
  resolveProject,
  soleOwnedGroups,
  transferGroup,
  updateGroup,
  updateGroupMember,
  updateProjectMember,
  userChanged,
  userDeleted,
  usersWithProjects,
} from '@moothall/contracts';
import { callerNamed, eventually } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Grants, principalOf } from '../src/access/grants';
import { Members } from '../src/member/member.repository';
import { groupKey } from '../src/member/source';
import type { NamespaceDocument } from '../src/namespace/namespace.schema';
import type { RouteDocument } from '../src/namespace/route.schema';
import { Routes } from '../src/namespace/routes';
import { Projects, readableBy } from '../src/project/project.repository';
import { ClearClaims } from '../src/removal/clear-claims';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const root = callerNamed('root', { isAdmin: true });
const newGroup = (owner: Parameters<typeof projects.ask>[0], over: object = {}) =>
  projects.ask(owner, createGroup, { name: 'Group', path: uniqueName('group'), ...over });

let nextUser = 900_000;
/** Whether identity can reserve that path for a new user. */
async function claimed(path: string, over: { user_id?: number; former?: string } = {}): Promise<boolean> {
  const { is_claimed } = await projects.client.call(claimUserPath, { user_id: nextUser++, path, ...over });
  return is_claimed;
}

// User namespaces and groups share one set of paths.
describe('a path that identity claims for a user', () => {
  it('is reserved before the user exists, and becomes the namespace of that user', async () => {
    const ann = await projects.user();
    const [path, user_id] = [uniqueName('claimed'), nextUser++];
    expect(await claimed(path, { user_id })).toBe(true);
    expect(await claimed(path)).toBe(false);
    const refused = projects.ask(ann, createGroup, { name: 'x', path });
    expect((await refusal(refused)).code).toBe('group.not_saved');
    await Promise.all([1, 2, 3].map(() => projects.user(path, { id: user_id, name: 'New' })));
    const own = await eventually(
      () => projects.ask(root, getNamespace, { id: path }).catch(() => false),
      'the namespace',
    );
    expect(own).toMatchObject({ kind: 'user', full_path: path });
    // A confirmed path is not released.
    await projects.client.call(releaseUserPath, { user_id, path });
    expect(await claimed(path)).toBe(false);
  });

  it('is free again when the user was not written, and only then', async () => {
    const [path, user_id] = [uniqueName('claimed'), nextUser++];
    expect(await claimed(path, { user_id })).toBe(true);
    await projects.client.call(releaseUserPath, { user_id: user_id + 1, path });
    expect(await claimed(path)).toBe(false);
    await projects.client.call(releaseUserPath, { user_id, path });
    expect(await claimed(path)).toBe(true);
  });

  it('becomes a user or a group under concurrent requests, and not both', async () => {
    const ann = await projects.user();
    const contests = Array.from({ length: 8 }, async () => {
      const path = uniqueName('contested');
      const group = projects.ask(ann, createGroup, { name: 'x', path }).then(
        () => true,
        () => false,
      );
      return Promise.all([group, claimed(path)]);
    });
    for (const won of await Promise.all(contests)) expect(won.filter(Boolean)).toHaveLength(1);
  });

  it('also moves the namespace when the user is renamed', async () => {
    const ann = await projects.user();
    const former = ann.username;
    const path = uniqueName('renamed');
    expect(await claimed(path, { user_id: ann.id, former })).toBe(true);
    expect((await refusal(projects.ask(ann, createGroup, { name: 'x', path }))).code).toBe('group.not_saved');
    ann.username = path;
    await projects.emit(userChanged, { user_id: ann.id, username: path, state: 'active' });
    await eventually(() => projects.ask(ann, getNamespace, { id: path }).catch(() => false), 'the new path');
    await eventually(() => claimed(former), 'the path that it had');
  });

  it('is reserved for a created user until the event arrives, and not for others', async () => {
    const written = await projects.user(uniqueName('late'));
    const late = uniqueName('claimed');
    const never = uniqueName('claimed');
    expect(await claimed(late, { user_id: written.id, former: written.username })).toBe(true);
    expect(await claimed(never)).toBe(true);
    written.username = late;
    const routes = projects.running.app.get<Model<RouteDocument>>(getModelToken('Route'));
    await routes.updateMany({ _id: { $in: [late, never] } }, { $set: { claimedAt: new Date(0) } });
    await projects.running.app.get(ClearClaims).run();
    expect(await routes.exists({ _id: never })).toBeNull();
    expect(await routes.exists({ _id: late })).not.toBeNull();
  });
});

describe('groups', () => {
  it('are owned by their creator', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann, { description: 'ours', lfs_enabled: false });
    expect(group).toMatchObject({ visibility: 'private', description: 'ours', lfs_enabled: false, parent_id: null });
    expect(group.runners_token).toHaveLength(20);
    const member = await projects.ask(ann, getGroupMember, { id: String(group.id), user_id: ann.id });
    expect(member).toMatchObject({ access_level: 50, username: ann.username });
  });

  it('share their paths with users', async () => {
    const ann = await projects.user();
    await eventually(() => projects.ask(ann, getNamespace, { id: ann.username }).catch(() => false));
    const taken = projects.ask(ann, createGroup, { name: 'x', path: ann.username.toUpperCase() });
    expect((await refusal(taken)).code).toBe('group.not_saved');
    const group = await newGroup(ann);
    expect(await claimed(group.path.toUpperCase())).toBe(false);
    expect(await claimed('admin')).toBe(false);
    expect(await claimed(uniqueName('free'))).toBe(true);
  });

  it('contain subgroups, listed for users who see them', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const group = await newGroup(ann, { visibility: 'public' });
    const open = await newGroup(ann, { parent_id: group.id, visibility: 'public' });
    const hidden = await newGroup(ann, { parent_id: group.id });
    const deep = await newGroup(ann, { parent_id: open.id, visibility: 'public' });
    const ids = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id).sort((one, other) => one - other);
    const id = String(group.id);
    expect(ids(await projects.ask(ann, listSubgroups, { id }))).toEqual([open.id, hidden.id]);
    expect(ids(await projects.ask(ben, listSubgroups, { id }))).toEqual([open.id]);
    expect(ids(await projects.ask(ben, listDescendantGroups, { id }))).toEqual([open.id, deep.id]);
    expect(ids(await projects.ask(ann, listGroups, { owned: true }))).toEqual([group.id, open.id, hidden.id, deep.id]);
    expect(await projects.client.call(descendantGroups, { group_id: group.id })).toHaveLength(4);
    expect(deep.full_path).toBe(`${group.path}/${open.path}/${deep.path}`);
    expect(deep.full_name).toBe('Group / Group / Group');
  });

  it('nest twenty deep at most, also by transfers', async () => {
    const ann = await projects.user();
    const chain = [await newGroup(ann)];
    while (chain.length < 20) chain.push(await newGroup(ann, { parent_id: chain.at(-1)!.id }));
    const [twentieth, eighteenth] = [chain.at(-1)!, chain.at(-3)!];
    expect(await refusal(newGroup(ann, { parent_id: twentieth.id }))).toMatchObject({
      code: 'group.not_saved',
      message: 'Failed to save group {:parent_id=>["has too deep level of nesting"]}',
    });
    const top = await newGroup(ann);
    const middle = await newGroup(ann, { parent_id: top.id });
    const lowest = await newGroup(ann, { parent_id: middle.id });
    const transfer = (group: { id: number }, to: { id: number }) =>
      projects.ask(ann, transferGroup, { id: String(group.id), group_id: to.id });
    expect((await refusal(transfer(top, eighteenth))).code).toBe('transfer.refused');
    expect((await refusal(transfer(lowest, twentieth))).code).toBe('transfer.refused');
    await transfer(middle, eighteenth);
  });

  it('refuse subgroups of users who are not maintainers', async () => {
    const ann = await projects.user();
    const ben = await projects.user();
    const group = await newGroup(ann);
    expect((await refusal(newGroup(ben, { parent_id: group.id }))).message).toBe('404 Group Not Found');
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 30 });
    expect((await refusal(newGroup(ben, { parent_id: group.id }))).code).toBe('common.forbidden');
    await projects.ask(ann, updateGroupMember, { id: String(group.id), user_id: ben.id, access_level: 40 });
    await newGroup(ben, { parent_id: group.id });
  });

  it('change the paths of all descendants with their own', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann);
    const sub = await newGroup(ann, { parent_id: group.id });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: sub.id });
    const path = uniqueName('renamed');
    await projects.ask(ann, updateGroup, { id: String(group.id), path, name: 'Renamed' });
    const read = await projects.ask(ann, getProject, { id: String(project.id) });
    expect(read).toMatchObject({
      path_with_namespace: `${path}/${sub.path}/tool`,
      name_with_namespace: 'Renamed / Group / tool',
    });
    const old = await projects.client.call(resolveProject, {
      project: `${group.path}/${sub.path}/tool`,
      user_id: ann.id,
    });
    expect(old).toMatchObject({ redirected: true, project: { id: project.id } });
    const oldGroup = await projects.client.call(resolveGroup, { group: group.path, user_id: ann.id });
    expect(oldGroup).toMatchObject({ redirected: true, group: { id: group.id, fullPath: path } });
    expect(projects.events(groupChanged).map(({ data }) => data)).toContainEqual({
      group_id: group.id,
      full_path: path,
      change: 'renamed',
      before: { full_path: group.path, name: group.name },
      actor_id: ann.id,
    });
    expect(projects.events(projectChanged).map(({ data }) => data)).toContainEqual({
      project_id: project.id,
      full_path: `${path}/${sub.path}/tool`,
      change: 'renamed',
      before: { full_path: `${group.path}/${sub.path}/tool` },
    });
  });

  it('cannot become less visible than their content', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann, { visibility: 'public' });
    await projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id, visibility: 'public' });
    const refused = projects.ask(ann, updateGroup, { id: String(group.id), visibility: 'private' });
    expect((await refusal(refused)).message).toHaveProperty('visibility_level');
  });

  it('are deleted immediately, with all descendants', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann);
    const sub = await newGroup(ann, { parent_id: group.id });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: sub.id });
    await projects.ask(ann, deleteGroup, { id: String(group.id) });
    for (const id of [group.id, sub.id]) {
      expect((await refusal(projects.ask(ann, getGroup, { id: String(id) }))).code).toBe('group.not_found');
    }
    const goneProject = () => projects.events(projectDeleted).find(({ data }) => data.project_id === project.id);
    const goneGroup = () => projects.events(groupDeleted).find(({ data }) => data.group_id === sub.id);
    expect((await eventually(goneProject)).data.group_ids).toEqual([sub.id, group.id]);
    expect((await eventually(goneGroup)).data.ancestor_ids).toEqual([group.id]);
    await projects.ask(ann, createGroup, { name: 'again', path: group.path });
  });
});

describe('members', () => {
  it('have their highest level from above and from shares of the levels', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    const sub = await newGroup(ann, { parent_id: group.id });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: sub.id });
    const id = String(project.id);
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 20 });
    const level = async () =>
      (await projects.client.call(resolveProject, { project: id, user_id: ben.id })).project.accessLevel;
    expect(await level()).toBe(20);
    const low = projects.ask(ann, addProjectMember, { id, user_id: [ben.id], access_level: 10 });
    expect((await refusal(low)).message).toEqual({
      access_level: [`should be greater than or equal to Reporter inherited membership from group Group`],
    });
    await projects.ask(ann, addProjectMember, { id, user_id: [ben.id], access_level: 40 });
    expect(await level()).toBe(40);
    const all = await projects.ask(ann, listAllProjectMembers, { id });
    expect(all.items.map((member) => [member.id, member.access_level])).toEqual([
      [ann.id, 50],
      [ben.id, 40],
    ]);
    const levels = await projects.client.call(memberLevels, { project_id: project.id });
    expect(levels).toEqual(
      expect.arrayContaining([
        { user_id: ann.id, access_level: 50 },
        { user_id: ben.id, access_level: 40 },
      ]),
    );
    expect(projects.events(memberChanged).map(({ data }) => data)).toContainEqual({
      source_type: 'project',
      source_id: project.id,
      user_id: ben.id,
      access_level: 40,
      expires_at: null,
      action: 'add',
      actor_id: ann.id,
    });
    await projects.ask(ann, updateProjectMember, { id, user_id: ben.id, access_level: 30 });
    expect(projects.events(memberChanged).at(-1)?.data).toMatchObject({
      user_id: ben.id,
      access_level: 30,
      action: 'update',
      before: { access_level: 40 },
    });
  });

  it('are refused twice, if unknown, or at an invalid level', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    const add = (user: number, level: number, over = {}) =>
      refusal(projects.ask(ann, addProjectMember, { id, user_id: [user], access_level: level, ...over }));
    expect((await add(ben.id, 30)).code).toBe('none');
    expect((await add(ben.id, 30)).code).toBe('member.exists');
    expect((await add(999_999, 30)).code).toBe('user.not_found');
    expect((await add(ann.id, 35)).code).toBe('member.level_not_listed');
    expect((await add(ann.id, 50)).code).toBe('member.level_not_listed');
    expect((await add((await projects.user()).id, 30, { expires_at: '2020-01-01' })).message).toHaveProperty(
      'expires_at',
    );
  });

  it('are not granted more than the granter has', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id });
    const id = String(project.id);
    await projects.ask(ann, addProjectMember, { id, user_id: [ben.id], access_level: 40 });
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [cat.id], access_level: 50 });
    const change = projects.ask(ben, updateProjectMember, { id, user_id: ben.id, access_level: 50 });
    expect((await refusal(change)).code).toBe('member.level_not_listed');
    const forbidden = projects.ask(ben, addGroupMember, {
      id: String(group.id),
      user_id: [ben.id],
      access_level: 10,
    });
    expect((await refusal(forbidden)).code).toMatch(/group.not_found|common.forbidden/);
  });

  it('leave, and are removed by users who may', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    await projects.ask(ann, addProjectMember, { id, user_id: [ben.id, cat.id], access_level: 30 });
    const refused = projects.ask(ben, removeProjectMember, { id, user_id: cat.id });
    expect((await refusal(refused)).code).toBe('common.forbidden');
    await projects.ask(ben, removeProjectMember, { id, user_id: ben.id });
    const read = projects.ask(ann, getProjectMember, { id, user_id: ben.id });
    expect((await refusal(read)).code).toBe('common.not_found');
    expect((await refusal(projects.ask(ben, getProject, { id }))).code).toBe('project.not_found');
  });

  // Regression: there could be any number in one document.
  it('are ten thousand owners at most', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    const id = String(group.id);
    const namespaces = projects.running.app.get<Model<NamespaceDocument>>(getModelToken('Namespace'));
    const others = Array.from({ length: 9_998 }, (_, at) => -1 - at);
    await namespaces.updateOne({ _id: group.id }, { $push: { ownerIds: { $each: others } } });
    await projects.ask(ann, addGroupMember, { id, user_id: [ben.id], access_level: 50 });
    const late = await refusal(projects.ask(ann, addGroupMember, { id, user_id: [cat.id], access_level: 50 }));
    expect(late.message).toEqual({ base: ['has too many owners'] });
    await projects.ask(ann, addGroupMember, { id, user_id: [cat.id], access_level: 40 });
    const raised = projects.ask(ann, updateGroupMember, { id, user_id: cat.id, access_level: 50 });
    expect((await refusal(raised)).message).toEqual({ base: ['has too many owners'] });
    await projects.ask(ann, updateGroupMember, { id, user_id: ben.id, access_level: 50 });
  });

  it('keep one owner, also if two leave concurrently', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    const id = String(group.id);
    const alone = projects.ask(ann, removeGroupMember, { id, user_id: ann.id });
    expect((await refusal(alone)).code).toBe('member.last_owner');
    await projects.ask(ann, addGroupMember, { id, user_id: [ben.id], access_level: 50 });
    const outcomes = await Promise.all([
      refusal(projects.ask(ann, removeGroupMember, { id, user_id: ann.id })),
      refusal(projects.ask(ben, updateGroupMember, { id, user_id: ben.id, access_level: 30 })),
    ]);
    expect(outcomes.map(({ code }) => code).sort()).toEqual(['member.last_owner', 'none']);
    const owner = outcomes[0]?.code === 'none' ? ben : ann;
    const members = await projects.ask(owner, listGroupMembers, { id });
    expect(members.items.filter(({ access_level }) => access_level === 50)).toHaveLength(1);
  });
});

describe('namespaces', () => {
  it('are checked for a free name up to a limit, then a random one is suggested', async () => {
    const ann = await projects.user();
    const isFree = jest.spyOn(projects.running.app.get(Routes, { strict: false }), 'isFree').mockResolvedValue(false);
    const { suggests } = await projects.ask(ann, namespaceExists, { id: 'taken' });
    expect(suggests).toEqual([expect.stringMatching(/^taken\d{10}$/)]);
    expect(isFree).toHaveBeenCalledTimes(101);
    isFree.mockRestore();
  });

  it('are the caller’s own and their groups', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann);
    const own = await eventually(() => projects.ask(ann, getNamespace, { id: ann.username }).catch(() => false));
    const { items } = await projects.ask(ann, listNamespaces, {});
    expect(items.map(({ kind, full_path }) => [kind, full_path]).sort()).toEqual([
      ['group', group.path],
      ['user', ann.username],
    ]);
    expect(items.find(({ kind }) => kind === 'group')).toMatchObject({ members_count_with_descendants: 1 });
    const ben = await projects.user();
    expect((await refusal(projects.ask(ben, getNamespace, { id: String((own as { id: number }).id) }))).code).toBe(
      'common.not_found',
    );
  });

  it('follow a renamed user', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { path: 'tool' });
    const before = ann.username;
    ann.username = uniqueName('renamed');
    await projects.emit(userChanged, { user_id: ann.id, username: ann.username, state: 'active' });
    const path = `${ann.username}/tool`;
    const read = () => projects.ask(ann, getProject, { id: String(project.id) });
    await eventually(async () => (await read()).path_with_namespace === path, 'the new path');
    const old = { project: `${before}/tool`, user_id: ann.id };
    // The old path redirects once the new one exists.
    const leadsOn = async () => (await projects.client.call(resolveProject, old).catch(() => undefined))?.redirected;
    await eventually(leadsOn, 'the redirect');
  });

  it('are deleted with their user', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { path: 'tool' });
    const gone = { user_id: ann.id, username: ann.username, hard_delete: false, ghost_user_id: 1 };
    await projects.emit(userDeleted, gone);
    await eventually(() => projects.events(projectDeleted).some(({ data }) => data.project_id === project.id));
    await eventually(async () => claimed(ann.username));
  });

  it('return the highest level of a user anywhere', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 20 });
    const levelOf = async (user_id: number) => (await projects.client.call(highestRole, { user_id })).access_level;
    expect([await levelOf(ann.id), await levelOf(ben.id), await levelOf(cat.id)]).toEqual([50, 20, 0]);
    await projects.ask(cat, createProject, { path: 'tool' });
    expect(await levelOf(cat.id)).toBe(40);
  });

  it('list the groups of which a user is the only owner, and a hard deletion deletes these too', async () => {
    const [ann, bob] = [await projects.user(), await projects.user()];
    const [alone, shared] = [await newGroup(ann), await newGroup(ann)];
    await newGroup(ann, { parent_id: alone.id });
    await projects.ask(ann, addGroupMember, { id: String(shared.id), user_id: [bob.id], access_level: 50 });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: alone.id });
    // The process was killed before the group stored its second owner.
    const uncounted = await newGroup(ann);
    const owner = { _id: 77_000_000 + uncounted.id, source: groupKey(uncounted.id), userId: bob.id, accessLevel: 50 };
    await projects.running.app.get(Members, { strict: false }).model.create({ ...owner, expiresAt: null } as never);
    await expect(projects.client.call(soleOwnedGroups, { user_id: ann.id })).resolves.toEqual([alone.id]);
    const asked = { user_ids: [ann.id, bob.id, 999_999] };
    expect((await projects.client.call(usersWithProjects, asked)).sort()).toEqual([ann.id, bob.id].sort());
    const gone = { user_id: ann.id, username: ann.username, hard_delete: true, ghost_user_id: 1 };
    await projects.emit(userDeleted, gone);
    await eventually(() => projects.events(groupDeleted).some(({ data }) => data.group_id === alone.id));
    await eventually(() => projects.events(projectDeleted).some(({ data }) => data.project_id === project.id));
    expect(projects.events(groupDeleted).map(({ data }) => data.group_id)).not.toContain(shared.id);
  });
});

it('reads the newest of many projects of a group by an index, and no others', async () => {
  const ann = await projects.user();
  const { id } = await newGroup(ann);
  const first = await projects.ask(ann, createProject, { name: 'p0', namespace_id: id });
  const read = projects.running.app.get(Projects);
  const { createdAt, ...one } = await read.get(first.id);
  const others = Array.from({ length: 300 }, (_, at) => {
    const later = new Date(createdAt.getTime() + (at + 1) * 1000);
    return {
      ...one,
      _id: first.id + 1_000_000 + at,
      path: `p${at}`,
      pathKey: `${one.pathKey}-${at}`,
      createdAt: later,
    };
  });
  await read.model.collection.insertMany(others as never[]);
  const shown = await projects.ask(ann, getGroup, { id: String(id) });
  expect(shown.projects?.map((project) => project.id)).toEqual(
    others
      .slice(-100)
      .map(({ _id }) => _id)
      .reverse(),
  );
  const readable = readableBy(await projects.running.app.get(Grants).findLevels(principalOf(ann)));
  const plan = (await read.newest({ $and: [{ namespaceId: id }, readable] }, 100).explain('executionStats')) as unknown;
  expect(plan).toMatchObject({ executionStats: { nReturned: 100, totalDocsExamined: 100, totalKeysExamined: 100 } });
});
