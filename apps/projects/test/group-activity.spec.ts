import {
  addGroupMember,
  addProjectMember,
  type Caller,
  countNewGroupMembers,
  createGroup,
  createProject,
} from '@moothall/contracts';
import { Members } from '../src/member/member.repository';
import { groupKey } from '../src/member/source';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const dayMs = 24 * 60 * 60 * 1000;

const newGroup = (owner: Caller, over: object = {}) =>
  projects.ask(owner, createGroup, { name: 'Group', path: uniqueName('group'), ...over });

const count = (caller: Caller, group_path: string) => projects.ask(caller, countNewGroupMembers, { group_path });

/** Sets the start of a membership to that many days ago. */
async function age(groupId: number, userId: number, days: number): Promise<void> {
  const { model } = projects.running.app.get(Members);
  const joined = { $set: { createdAt: new Date(Date.now() - days * dayMs) } };
  const { matchedCount } = await model.collection.updateOne({ source: groupKey(groupId), userId }, joined);
  expect(matchedCount).toBe(1);
}

describe('new members of a group', () => {
  // Members of projects alone are not members of the group.
  it('are counted once each, with those of the groups below', async () => {
    const [ann, ben, cid, dan] = await Promise.all([1, 2, 3, 4].map(() => projects.user()));
    const group = await newGroup(ann!);
    const sub = await newGroup(ann!, { parent_id: group.id });
    const project = await projects.ask(ann!, createProject, { path: 'tool', namespace_id: sub.id });
    const beside = await newGroup(ann!);
    const as = (user_id: number[]) => ({ user_id, access_level: 30 as const });
    await projects.ask(ann!, addGroupMember, { id: String(sub.id), ...as([ben!.id]) });
    await projects.ask(ann!, addProjectMember, { id: String(project.id), ...as([ben!.id, cid!.id]) });
    await projects.ask(ann!, addGroupMember, { id: String(beside.id), ...as([dan!.id]) });
    expect(await count(ann!, group.full_path)).toEqual({ new_members_count: 2 });
    expect(await count(ann!, beside.full_path)).toEqual({ new_members_count: 2 });
  });

  it('are new for 90 days', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await newGroup(ann);
    await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 10 });
    await age(group.id, ann.id, 91);
    await age(group.id, ben.id, 89);
    expect(await count(ben, group.full_path)).toEqual({ new_members_count: 1 });
  });

  it('are shown to members, also of the groups above, and to administrators', async () => {
    const [ann, root] = [await projects.user(), await projects.user(undefined, { isAdmin: true })];
    const group = await newGroup(ann);
    const sub = await newGroup(ann, { parent_id: group.id });
    expect((await count(ann, sub.full_path)).new_members_count).toBe(
      (await count(root, sub.full_path)).new_members_count,
    );
  });

  it('are hidden from others', async () => {
    const [ann, eve] = [await projects.user(), await projects.user()];
    const hidden = await newGroup(ann);
    const open = await newGroup(ann, { visibility: 'public' });
    expect(await refusal(count(eve, hidden.full_path))).toMatchObject({ code: 'group.not_found' });
    expect(await refusal(count(eve, uniqueName('absent')))).toMatchObject({ code: 'group.not_found' });
    expect(await refusal(count(eve, open.full_path))).toMatchObject({ code: 'common.forbidden' });
  });

  it('are hidden from users who only read a project in the group', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await newGroup(ann, { visibility: 'private' });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id });
    await projects.ask(ann, addProjectMember, { id: String(project.id), user_id: [ben.id], access_level: 10 });
    expect(await refusal(count(ben, group.full_path))).toMatchObject({ code: 'common.forbidden' });
  });

  it('are found through an index', async () => {
    const { model } = projects.running.app.get(Members);
    const plan = await model
      .find({ source: { $in: [groupKey(1)] }, createdAt: { $gte: new Date() } })
      .explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('source_1_createdAt_1');
  });
});
