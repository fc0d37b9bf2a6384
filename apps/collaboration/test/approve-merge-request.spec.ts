import {
  Access,
  type AccessLevel,
  approveMergeRequest,
  type Caller,
  getMergeRequestApprovalState,
  getMergeRequestApprovals,
  type ProjectRef,
  unapproveMergeRequest,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

async function withMergeRequest() {
  const project = git.project();
  const author = git.member(project);
  const { iid, sha } = await git.open(project, author);
  const one = { merge_request_iid: iid };
  const call = { one, iid, sha, project, author };
  const approve = (user: Caller, over: object = {}, level: AccessLevel = developer, where: ProjectRef = project) =>
    git.world.inProject(approveMergeRequest, where, user, level, { ...one, ...over });
  const unapprove = (user: Caller) => git.world.inProject(unapproveMergeRequest, project, user, developer, one);
  const shown = (user?: Caller, level: AccessLevel = developer, where: ProjectRef = project) =>
    git.world.inProject(getMergeRequestApprovals, where, user, level, one);
  return { ...call, approve, unapprove, shown };
}

it('are approved once by developers, also by the author', async () => {
  const { project, author, iid, approve, shown } = await withMergeRequest();
  const other = git.member(project);
  expect(await shown(other)).toMatchObject({ approved: false, approved_by: [], user_can_approve: true });
  expect(await approve(other)).toMatchObject({
    iid,
    approved: true,
    approved_by: [{ user: { id: other.id, username: other.username } }],
    user_has_approved: true,
    user_can_approve: false,
    approvals_left: 0,
  });
  expect(await codeOf(approve(other))).toBe('common.unauthorized');
  const both = await approve(author);
  expect(both.approved_by.map(({ user }) => user.id)).toEqual([other.id, author.id]);
  expect(await shown()).toMatchObject({ approved: true, user_has_approved: false, user_can_approve: false });
  await eventually(async () => (await git.notesOf(project, author, iid)).length === 2, 'the notes');
  const state = await git.world.inProject(getMergeRequestApprovalState, project, author, developer, {
    merge_request_iid: iid,
  });
  expect(state).toEqual({ approval_rules_overwritten: false, rules: [] });
});

it('lose an approval when its user withdraws it', async () => {
  const { project, author, iid, approve, unapprove } = await withMergeRequest();
  expect(await codeOf(unapprove(author))).toBe('common.not_found');
  await approve(author);
  expect(await unapprove(author)).toMatchObject({ approved: false, approved_by: [], user_can_approve: true });
  expect(await codeOf(unapprove(author))).toBe('common.not_found');
  await approve(author);
  await eventually(async () => (await git.notesOf(project, author, iid)).length === 3, 'the notes');
  expect(await git.notesOf(project, author, iid)).toEqual([
    'approved this merge request',
    'unapproved this merge request',
    'approved this merge request',
  ]);
});

it('are approved only by users who may', async () => {
  const { project, author, sha, iid, approve, shown } = await withMergeRequest();
  const reporter = git.member(project, Access.Reporter);
  expect(await codeOf(approve(reporter, {}, Access.Reporter))).toBe('common.unauthorized');
  expect(await shown(reporter, Access.Reporter)).toMatchObject({ user_can_approve: false });
  expect(await codeOf(approve(author, { sha: 'f'.repeat(40) }))).toBe('merge.source_moved');
  const archived = { ...project, isArchived: true };
  expect(await codeOf(approve(author, {}, developer, archived))).toBe('project.archived');
  expect(await shown(author, developer, archived)).toMatchObject({ user_can_approve: false });
  expect(await codeOf(approve(author, { merge_request_iid: 999 }))).toBe('merge_request.not_found');
  expect(await approve(author, { sha })).toMatchObject({ approved: true });
  await git.update(project, author, iid, { state_event: 'close' });
  expect(await codeOf(approve(git.member(project)))).toBe('common.unauthorized');
});

it('store each approval once under concurrent approvals', async () => {
  const { project, approve, shown } = await withMergeRequest();
  const users = Array.from({ length: 8 }, () => git.member(project));
  const twice = await Promise.allSettled([...users, ...users].map((user) => approve(user)));
  expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  const ids = (await shown()).approved_by.map(({ user }) => user.id);
  expect([...ids].sort()).toEqual(users.map(({ id }) => id).sort());
});

it('drop the approval of a deleted user', async () => {
  const { project, approve, shown } = await withMergeRequest();
  const [leaving, staying] = [git.member(project), git.member(project)];
  await approve(leaving);
  await approve(staying);
  const data = { user_id: leaving.id, username: leaving.username, ghost_user_id: 1, hard_delete: false };
  await git.world.service.emit(userDeleted, data);
  await eventually(async () => (await shown()).approved_by.length === 1, 'the end of the approval');
  expect((await shown()).approved_by).toMatchObject([{ user: { id: staying.id } }]);
});
