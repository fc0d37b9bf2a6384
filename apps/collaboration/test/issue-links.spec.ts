import {
  Access,
  type AccessLevel,
  type Caller,
  createIssue,
  createIssueLink,
  deleteIssue,
  deleteIssueLink,
  getIssue,
  getIssueLink,
  type Issue,
  type IssueLinkType,
  listIssueLinks,
  listProjectIssues,
  type ProjectRef,
  projectDeleted,
  projectErrors,
  projectRefs,
  resolveProject,
  updateIssue,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const { None, Guest, Reporter, Owner } = Access;

let world: CollaborationUnderTest;
beforeAll(async () => {
  world = await CollaborationUnderTest.start();
  const seenBy = (project: ProjectRef, userId: number | null) => ({
    ...project,
    accessLevel: world.levelOf(userId, project.id),
  });
  world.service.respond(projectRefs, ({ ids, user_id }) =>
    ids.flatMap((id) => {
      const project = world.projects.get(id);
      return project ? [seenBy(project, user_id)] : [];
    }),
  );
  world.service.respond(resolveProject, ({ project, user_id }) => {
    const found = [...world.projects.values()].find(({ id, fullPath }) => [String(id), fullPath].includes(project));
    return found ? { project: seenBy(found, user_id), redirected: false } : projectErrors.notFound();
  });
});
afterAll(() => world?.stop());

interface End {
  project: ProjectRef;
  iid: number;
  id: number;
}

async function issueIn(project: ProjectRef, by: Caller, over: object = {}): Promise<End> {
  const { iid, id } = await world.inProject(createIssue, project, by, Reporter, { title: 'An issue', ...over });
  return { project, iid, id };
}

/** Two issues of two public projects; the user is a reporter in both. */
async function twoIssues(over: Partial<ProjectRef> = { visibility: 'public' }) {
  const [here, there, user] = [world.project({ visibility: 'public' }), world.project(over), world.user()];
  for (const project of [here, there]) world.join(user, project, Reporter);
  return { user, from: await issueIn(here, user), to: await issueIn(there, user) };
}

const as = (user: Caller | undefined, { id }: ProjectRef): AccessLevel =>
  user?.isAdmin ? Owner : world.levelOf(user?.id ?? null, id);

const link = (user: Caller, { project, iid }: End, to: End, type?: IssueLinkType) =>
  world.inProject(createIssueLink, project, user, as(user, project), {
    issue_iid: iid,
    target_project_id: to.project.fullPath,
    target_issue_iid: to.iid,
    link_type: type,
  });

async function linksOf({ project, iid }: End, user: Caller | undefined) {
  const { items } = await world.inProject(listIssueLinks, project, user, as(user, project), { issue_iid: iid });
  return items.map(({ id, link_type }) => [id, link_type]);
}

const remove = (user: Caller, { project, iid }: End, id: number) =>
  world.inProject(deleteIssueLink, project, user, as(user, project), { issue_iid: iid, issue_link_id: id });

const get = (user: Caller, { project, iid }: End, id: number) =>
  world.inProject(getIssueLink, project, user, as(user, project), { issue_iid: iid, issue_link_id: id });

const connection = () => world.service.running.app.get<Connection>(getConnectionToken());

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'ok',
    ({ value }) => value.code,
  );

describe('a link between issues', () => {
  it('is seen from both ends, and removed from either', async () => {
    const { user, from, to } = await twoIssues();
    const made = await link(user, from, to);
    expect(made).toMatchObject({
      source_issue: { id: from.id },
      target_issue: { id: to.id, project_id: to.project.id },
      link_type: 'relates_to',
    });
    expect(await linksOf(from, user)).toEqual([[to.id, 'relates_to']]);
    expect(await linksOf(to, user)).toEqual([[from.id, 'relates_to']]);
    expect(await get(user, to, made.id)).toEqual(made);
    expect(await remove(user, to, made.id)).toEqual(made);
    expect([await linksOf(from, user), await linksOf(to, user)]).toEqual([[], []]);
    expect(await codeOf(remove(user, from, made.id))).toBe('issue_link.not_found');
  });

  it('shows at each end which one blocks the other', async () => {
    const { user, from, to } = await twoIssues();
    await link(user, from, to, 'is_blocked_by');
    expect(await linksOf(from, user)).toEqual([[to.id, 'is_blocked_by']]);
    expect(await linksOf(to, user)).toEqual([[from.id, 'blocks']]);
  });

  it('counts among the open issues that one blocks', async () => {
    const { user, from, to } = await twoIssues();
    const other = await issueIn(from.project, user);
    await link(user, from, to, 'blocks');
    await link(user, from, other, 'blocks');
    const count = async ({ project, iid }: End) =>
      (await world.inProject(getIssue, project, user, Reporter, { issue_iid: iid })).blocking_issues_count;
    expect([await count(from), await count(to), await count(other)]).toEqual([2, 0, 0]);
    await world.inProject(updateIssue, other.project, user, Reporter, { issue_iid: other.iid, state_event: 'close' });
    const { items } = await world.inProject(listProjectIssues, from.project, user, Reporter, {});
    const counts = items.map(({ id, blocking_issues_count }: Issue) => [id, blocking_issues_count]);
    expect(counts).toContainEqual([from.id, 1]);
  });

  it('is created once, in either direction, also under concurrent requests', async () => {
    const { user, from, to } = await twoIssues();
    const answers = await Promise.all([link(user, from, to), link(user, to, from, 'blocks')].map(codeOf));
    expect(answers.sort()).toEqual(['issue_link.taken', 'ok']);
    expect(await linksOf(from, user)).toHaveLength(1);
  });

  it('requires another existing issue', async () => {
    const { user, from, to } = await twoIssues();
    expect(await codeOf(link(user, from, from))).toBe('issue_link.itself');
    expect(await codeOf(link(user, from, { ...to, iid: 99 }))).toBe('issue_link.no_target');
    const nowhere = { ...to.project, fullPath: 'no/where' };
    expect(await codeOf(link(user, from, { ...to, project: nowhere }))).toBe('issue_link.no_target');
  });

  it.each([
    ['a stranger', 'issue_link.no_target', None],
    ['a guest', 'issue_link.no_target', Guest],
    ['a reporter', 'ok', Reporter],
  ])('requires %s of the other project: %s', async (_, answer, level) => {
    const { from, to } = await twoIssues();
    const user = world.user();
    world.join(user, from.project, Reporter);
    world.join(user, to.project, level);
    expect(await codeOf(link(user, from, to))).toBe(answer);
  });

  it.each([
    ['a stranger', 'common.forbidden', None],
    ['a guest', 'common.forbidden', Guest],
    ['a reporter', 'ok', Reporter],
  ])('is removed where its other end is by %s: %s', async (_, answer, level) => {
    const { user: author, from, to } = await twoIssues();
    const { id } = await link(author, from, to);
    const user = world.user();
    world.join(user, from.project, Reporter);
    world.join(user, to.project, level);
    expect(await codeOf(remove(user, from, id))).toBe(answer);
  });

  it('is hidden from users who do not see the other end', async () => {
    const { user, from, to } = await twoIssues({ visibility: 'private' });
    const secret = await issueIn(from.project, user, { confidential: true });
    const { id } = await link(user, from, to);
    await link(user, from, secret);
    const reader = world.user();
    world.join(reader, from.project, Reporter);
    const guest = world.user();
    world.join(guest, from.project, Guest);
    expect(await linksOf(from, user)).toHaveLength(2);
    expect(await linksOf(from, reader)).toEqual([[secret.id, 'relates_to']]);
    expect([await linksOf(from, guest), await linksOf(from, undefined)]).toEqual([[], []]);
    expect(await codeOf(get(reader, from, id))).toBe('issue_link.not_found');
    expect(await codeOf(remove(reader, from, id))).toBe('issue_link.not_found');
    expect(await codeOf(link(reader, from, to))).toBe('issue_link.no_target');
  });

  it('belongs to its two issues only', async () => {
    const { user, from, to } = await twoIssues();
    const { id } = await link(user, from, to);
    const other = await issueIn(from.project, user);
    expect(await codeOf(get(user, other, id))).toBe('issue_link.not_found');
    expect(await codeOf(remove(user, other, id))).toBe('issue_link.not_found');
  });

  it('cannot be changed if one project is archived', async () => {
    const { user, from, to } = await twoIssues();
    const { id } = await link(user, from, to);
    const other = await issueIn(from.project, user);
    world.projects.set(to.project.id, { ...to.project, isArchived: true });
    expect(await codeOf(remove(user, from, id))).toBe('project.archived');
    expect(await codeOf(link(user, other, to))).toBe('project.archived');
  });

  it('is deleted with an issue, or with its project', async () => {
    const { user, from, to } = await twoIssues();
    const other = await issueIn(to.project, user);
    const made = [await link(user, from, to), await link(user, from, other)].map(({ id }) => id as never);
    // Links to deleted issues are never shown.
    const stored = () =>
      connection()
        .collection('issue_links')
        .countDocuments({ _id: { $in: made } });
    await world.inProject(deleteIssue, to.project, user, Owner, { issue_iid: to.iid });
    await eventually(async () => (await stored()) === 1);
    expect(await linksOf(from, user)).toEqual([[other.id, 'relates_to']]);
    const data = { project_id: to.project.id, full_path: to.project.fullPath };
    await world.service.emit(projectDeleted, data as never);
    await eventually(async () => (await stored()) === 0);
  });
});
