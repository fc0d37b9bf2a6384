import {
  addGroupMember,
  addProjectMember,
  approveGroupAccessRequest,
  approveProjectAccessRequest,
  type Caller,
  createGroup,
  createProject,
  denyProjectAccessRequest,
  getProject,
  groupChanged,
  listGroupProjects,
  listGroups,
  listProjectAccessRequests,
  memberChanged,
  projectChanged,
  requestGroupAccess,
  requestProjectAccess,
  resolveGroup,
  resolveProject,
  shareGroup,
  shareProject,
  unshareGroup,
  unshareProject,
  updateProject,
} from '@moothall/contracts';
import { eventually, itWithoutFaults } from '@moothall/testing';
import mongoose from 'mongoose';
import { Members } from '../src/member/member.repository';
import { EndMemberships } from '../src/member/operations/end-memberships';
import { projectKey } from '../src/member/source';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

/**
 * Queries of a request by collection, in any order: those that occur in each of three attempts, without background
 * work.
 */
async function queriesOf(ask: () => Promise<unknown>): Promise<string[]> {
  const tries: string[][] = [];
  for (let turn = 0; turn < 3; turn++) {
    const queries: string[] = [];
    mongoose.set('debug', (collection: string, method: string) => {
      if (method.startsWith('find')) queries.push(`${method} ${collection}`);
    });
    await ask().catch(() => undefined);
    tries.push(queries);
  }
  mongoose.set('debug', false);
  const timesIn = (queries: string[], wanted: string) => queries.filter((query) => query === wanted).length;
  const inEach = (query: string) => Math.min(...tries.map((queries) => timesIn(queries, query)));
  return [...new Set(tries.flat())].sort().flatMap((query) => Array<string>(inEach(query)).fill(query));
}

it('uses as many queries for a hidden record as for a missing one', async () => {
  const owner = await projects.user();
  const stranger = await projects.user();
  const name = uniqueName('closed');
  const [hidden, elsewhere] = [
    await projects.ask(owner, createGroup, { name, path: name, visibility: 'private' }),
    await projects.ask(owner, createGroup, { name: `${name}2`, path: `${name}2`, visibility: 'private' }),
  ];
  const make = (path: string) =>
    projects.ask(owner, createProject, { name: path, namespace_id: hidden.id, visibility: 'private' });
  const [plain, shared] = [await make('plain'), await make('shared')];
  await projects.ask(owner, shareProject, { id: String(shared.id), group_id: elsewhere.id, group_access: 30 });
  const principals = [{ user_id: null }, { user_id: stranger.id }, { user_id: stranger.id, is_external: true }];
  for (const principal of principals) {
    const ofProject = (project: string) =>
      queriesOf(() => projects.client.call(resolveProject, { project, ...principal }));
    const ofGroup = (group: string) => queriesOf(() => projects.client.call(resolveGroup, { group, ...principal }));
    const [byId, byPath] = [await ofProject('999999999'), await ofProject(`${name}/none`)];
    expect(byId.length).toBeGreaterThan(0);
    for (const { id, path_with_namespace } of [plain, shared]) {
      expect(await ofProject(String(id))).toEqual(byId);
      expect(await ofProject(path_with_namespace)).toEqual(byPath);
    }
    expect(await ofGroup(String(hidden.id))).toEqual(await ofGroup('999999999'));
    expect(await ofGroup(hidden.full_path)).toEqual(await ofGroup(`${name}-none`));
  }
});

const levelOf = async (user: Caller, id: string) =>
  (await projects.client.call(resolveProject, { project: id, user_id: user.id })).project.accessLevel;

async function publicProject() {
  const owner = await projects.user();
  const project = await projects.ask(owner, createProject, { name: 'tool', visibility: 'public' });
  return { owner, id: String(project.id) };
}

describe('access requests', () => {
  it('become memberships, and both sides get a mail', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    const request = await projects.ask(ben, requestProjectAccess, { id });
    expect(request).toMatchObject({ id: ben.id, username: ben.username, state: 'active' });
    expect(Date.parse(request.requested_at)).not.toBeNaN();
    const { items } = await projects.ask(owner, listProjectAccessRequests, { id });
    expect(items).toEqual([request]);
    await eventually(() => projects.mails().some((mail) => mail.includes(`To: ${owner.email}`)), 'the owner’s mail');

    const member = await projects.ask(owner, approveProjectAccessRequest, { id, user_id: ben.id });
    expect(member).toMatchObject({ id: ben.id, access_level: 30, expires_at: null });
    expect(await levelOf(ben, id)).toBe(30);
    expect((await projects.ask(owner, listProjectAccessRequests, { id })).items).toEqual([]);
    await eventually(() => projects.mails().some((mail) => mail.includes(`To: ${ben.email}`)), 'the member’s mail');
    expect(projects.events(memberChanged).some(({ data }) => data.user_id === ben.id)).toBe(true);
  });

  it('are refused to members, twice, and if they are disabled', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    expect((await refusal(projects.ask(owner, requestProjectAccess, { id }))).code).toBe('access_request.exists');
    await projects.ask(ben, requestProjectAccess, { id });
    expect((await refusal(projects.ask(ben, requestProjectAccess, { id }))).code).toBe('access_request.exists');
    await projects.ask(owner, updateProject, { id, request_access_enabled: false });
    const cat = await projects.user();
    expect((await refusal(projects.ask(cat, requestProjectAccess, { id }))).code).toBe('access_request.disabled');
  });

  it('are refused for members through the group', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group'), visibility: 'public' });
    const project = await projects.ask(ann, createProject, { path: 'p', namespace_id: group.id, visibility: 'public' });
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 10 });
    const again = projects.ask(ben, requestProjectAccess, { id: String(project.id) });
    expect((await refusal(again)).code).toBe('access_request.exists');
  });

  it('are listed, approved and denied by maintainers only', async () => {
    const { owner, id } = await publicProject();
    const [ben, cat] = [await projects.user(), await projects.user()];
    await projects.ask(owner, addProjectMember, { id, user_id: [cat.id], access_level: 30 });
    await projects.ask(ben, requestProjectAccess, { id });
    const attempts = [
      projects.ask(cat, listProjectAccessRequests, { id }),
      projects.ask(cat, approveProjectAccessRequest, { id, user_id: ben.id }),
      projects.ask(cat, denyProjectAccessRequest, { id, user_id: ben.id }),
    ];
    for (const attempt of attempts) expect((await refusal(attempt)).code).toBe('common.forbidden');
  });

  it('are not approved above the level of the approver, at invalid levels, or if missing', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group'), visibility: 'public' });
    const id = String(group.id);
    await projects.ask(ben, requestGroupAccess, { id });
    const approve = (level: number, user = ben) =>
      refusal(projects.ask(ann, approveGroupAccessRequest, { id, user_id: user.id, access_level: level }));
    expect((await approve(31)).code).toBe('member.level_not_listed');
    expect((await approve(30, cat)).code).toBe('access_request.not_found');
    expect((await approve(50)).code).toBe('none');
  });

  it('lead to one membership after two concurrent approvals', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    await projects.ask(ben, requestProjectAccess, { id });
    const attempts = [1, 2].map(() => projects.ask(owner, approveProjectAccessRequest, { id, user_id: ben.id }));
    const outcomes = await Promise.all(attempts.map(refusal));
    expect(outcomes.filter(({ code }) => code === 'none').length).toBeGreaterThan(0);
    expect(outcomes.every(({ code }) => ['none', 'access_request.not_found'].includes(code))).toBe(true);
  });

  it('are withdrawn by their user', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    await projects.ask(ben, requestProjectAccess, { id });
    await projects.ask(ben, denyProjectAccessRequest, { id, user_id: ben.id });
    expect((await projects.ask(owner, listProjectAccessRequests, { id })).items).toEqual([]);
  });

  // If the first attempt may have removed it, a second one that finds nothing is fine; also below.
  itWithoutFaults('return 404 on a denial if missing', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    const denied = projects.ask(owner, denyProjectAccessRequest, { id, user_id: ben.id });
    expect((await refusal(denied)).code).toBe('access_request.not_found');
  });
});

describe('shares', () => {
  it('let the members of a group in, each up to the lower of two levels', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const guests = await projects.ask(ben, createGroup, { name: 'guests', path: uniqueName('guests') });
    const below = await projects.ask(ben, createGroup, { name: 'sub', path: 'sub', parent_id: guests.id });
    await projects.ask(ben, addGroupMember, { id: String(guests.id), user_id: [cat.id, ann.id], access_level: 20 });
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    await projects.ask(ann, shareProject, { id, group_id: below.id, group_access: 30 });
    expect([await levelOf(ben, id), await levelOf(cat, id)]).toEqual([30, 20]);
    const again = projects.ask(ann, shareProject, { id, group_id: below.id, group_access: 10 });
    expect((await refusal(again)).code).toBe('share.exists');
    expect(await projects.ask(cat, getProject, { id })).toMatchObject({
      shared_with_groups: [{ group_id: below.id, group_access_level: 30 }],
    });
    const listed = await projects.ask(cat, listGroupProjects, { id: String(below.id) });
    expect(listed.items.map((project) => project.id)).toEqual([number]);
    expect(projects.events(projectChanged).filter(({ data }) => data.project_id === number)).toHaveLength(2);
    await projects.ask(ann, unshareProject, { id, group_id: below.id });
    expect([await levelOf(ben, id), await levelOf(cat, id)]).toEqual([0, 0]);
  });

  it('show in lists the groups above what is shared, and none beside them', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const makeGroup = (caller: Caller, parent_id?: number) =>
      projects.ask(caller, createGroup, { name: 'g', path: uniqueName('group'), ...(parent_id && { parent_id }) });
    const [guests, ofProject, ofGroup] = [await makeGroup(ben), await makeGroup(ann), await makeGroup(ann)];
    await projects.ask(ben, addGroupMember, { id: String(guests.id), user_id: [ann.id], access_level: 10 });
    const middle = await makeGroup(ann, ofProject.id);
    await makeGroup(ann, ofProject.id);
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: middle.id });
    const shared = await makeGroup(ann, ofGroup.id);
    await makeGroup(ann, ofGroup.id);
    const seenByBen = async () => {
      const { items } = await projects.ask(ben, listGroups, { visibility: 'private', order_by: 'id' });
      return items.map(({ id }) => id).sort((one, other) => one - other);
    };
    expect(await seenByBen()).toEqual([guests.id]);
    await projects.ask(ann, shareProject, { id: String(project.id), group_id: guests.id, group_access: 10 });
    expect(await seenByBen()).toEqual([guests.id, ofProject.id, middle.id]);
    await projects.ask(ann, shareGroup, { id: String(shared.id), group_id: guests.id, group_access: 10 });
    expect(await seenByBen()).toEqual([guests.id, ofProject.id, ofGroup.id, middle.id, shared.id]);
    await projects.ask(ann, unshareProject, { id: String(project.id), group_id: guests.id });
    expect(await seenByBen()).toEqual([guests.id, ofGroup.id, shared.id]);
  });

  itWithoutFaults('return 404 on deletion if missing', async () => {
    const ann = await projects.user();
    const group = await projects.ask(ann, createGroup, { name: 'g', path: `g${ann.id}` });
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const gone = projects.ask(ann, unshareProject, { id: String(id), group_id: group.id });
    expect((await refusal(gone)).code).toBe('share.not_found');
  });

  it('reach everything below a shared group', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await projects.ask(ann, createGroup, { name: 'g', path: uniqueName('group') });
    const sub = await projects.ask(ann, createGroup, { name: 'sub', path: 'sub', parent_id: group.id });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: sub.id });
    const guests = await projects.ask(ben, createGroup, { name: 'guests', path: uniqueName('guests') });
    await projects.ask(ben, addGroupMember, { id: String(guests.id), user_id: [ann.id], access_level: 10 });
    const share = { id: String(group.id), group_id: guests.id };
    await projects.ask(ann, shareGroup, { ...share, group_access: 40 });
    expect(await levelOf(ben, String(project.id))).toBe(40);
    expect(projects.events(groupChanged).filter(({ data }) => data.group_id === group.id)).toHaveLength(2);
    await projects.ask(ann, unshareGroup, share);
    expect(await levelOf(ben, String(project.id))).toBe(0);
  });

  it('do not show a private group', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const hidden = await projects.ask(ben, createGroup, { name: 'hidden', path: uniqueName('hidden') });
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const shared = projects.ask(ann, shareProject, { id: String(id), group_id: hidden.id, group_access: 30 });
    expect((await refusal(shared)).message).toBe('404 Group Not Found');
  });
});

describe('memberships with a last day', () => {
  it('count for nothing from that day on, and are removed with their event', async () => {
    const { owner, id } = await publicProject();
    const ben = await projects.user();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await projects.ask(owner, addProjectMember, { id, user_id: [ben.id], access_level: 40, expires_at: tomorrow });
    expect(await levelOf(ben, id)).toBe(40);

    const { model } = projects.running.app.get(Members);
    const source = projectKey(Number(id));
    await model.updateOne({ source, userId: ben.id }, { $set: { expiresAt: new Date().toISOString().slice(0, 10) } });
    expect(await levelOf(ben, id)).toBe(0);
    await projects.running.app.get(EndMemberships).run();
    expect(await model.countDocuments({ source, userId: ben.id })).toBe(0);
    // The periodic job of the service may be faster, and publish soon.
    const event = await eventually(
      () => projects.events(memberChanged).find(({ data }) => data.user_id === ben.id && data.action === 'remove'),
      'the event',
    );
    expect(event.data).toEqual({
      source_type: 'project',
      source_id: Number(id),
      user_id: ben.id,
      access_level: null,
      expires_at: expect.any(String),
      action: 'remove',
      before: { access_level: 40 },
    });
  });
});
