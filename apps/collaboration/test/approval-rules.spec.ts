import {
  Access,
  type AccessLevel,
  approveMergeRequest,
  type Caller,
  createApprovalRule,
  createMergeRequestApprovalRule,
  deleteApprovalRule,
  deleteMergeRequestApprovalRule,
  getApprovalRule,
  getApprovalSettings,
  getMergeRequestApprovalRule,
  getMergeRequestApprovalState,
  getMergeRequestApprovals,
  groupDeleted,
  type InputOf,
  listApprovalRules,
  listMergeRequestApprovalRules,
  mergeMergeRequest,
  mergeRequestChanged,
  type Operation,
  type ProjectRef,
  pipelineChanged,
  projectDeleted,
  resetMergeRequestApprovals,
  unapproveMergeRequest,
  updateApprovalRule,
  updateApprovalSettings,
  updateMergeRequestApprovalRule,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const { Developer, Maintainer } = Access;

const git = shareBetweenTests(() => MergeRequestWorld.start());

/** A project with its maintainer, and a developer's open merge request. */
async function place(over: Partial<ProjectRef> = {}) {
  const project = git.project(over);
  const [boss, author, other] = [git.member(project, Maintainer), git.member(project), git.member(project)];
  const opened = await git.open(project, author);
  const one = { merge_request_iid: opened.iid };
  const as = <T extends Operation>(operation: T, user: Caller, input: object = {}, level: AccessLevel = Developer) =>
    git.world.inProject(operation, project, user, level, input as Omit<InputOf<T>, 'id'>);
  const rule = (name: string, required: number, input: object = {}) =>
    as(createApprovalRule, boss, { name, approvals_required: required, ...input }, Maintainer);
  const approve = (user: Caller) => as(approveMergeRequest, user, one);
  const status = async () => (await git.get(project, opened.iid, author)).detailed_merge_status;
  const shown = () => as(getMergeRequestApprovals, author, one);
  const actions = () =>
    git.world.service
      .events(mergeRequestChanged)
      .filter(({ data }) => data.merge_request.id === opened.id)
      .map(({ data }) => data.action);
  return { project, boss, author, other, opened, iid: opened.iid, one, as, rule, approve, status, shown, actions };
}

describe('rules of a project', () => {
  it('are created, shown, changed and deleted', async () => {
    const { as, boss, other, rule } = await place();
    const made = await rule('Readers', 1, { user_ids: [other.id] });
    expect(made).toMatchObject({
      ...{ name: 'Readers', rule_type: 'regular', approvals_required: 1, contains_hidden_groups: false },
      ...{ users: [{ id: other.id }], eligible_approvers: [{ id: other.id }], groups: [], protected_branches: [] },
    });
    const named = { approval_rule_id: made.id };
    expect(await as(getApprovalRule, other, named)).toEqual(made);
    expect(await as(listApprovalRules, other)).toEqual([made]);
    const change = { ...named, name: 'Others', approvals_required: 2, usernames: [boss.username] };
    const changed = await as(updateApprovalRule, boss, change, Maintainer);
    expect(changed).toMatchObject({ name: 'Others', approvals_required: 2, users: [{ id: boss.id }] });
    expect(await as(listApprovalRules, other)).toEqual([changed]);
    await as(deleteApprovalRule, boss, named, Maintainer);
    expect(await as(listApprovalRules, other)).toEqual([]);
    for (const operation of [getApprovalRule, deleteApprovalRule])
      expect(await codeOf(as(operation, boss, named, Maintainer))).toBe('approval_rule.not_found');
    expect(await codeOf(as(updateApprovalRule, boss, change, Maintainer))).toBe('approval_rule.not_found');
  });

  it('apply to all members if no user is named, and exclude users who are no members', async () => {
    const { rule } = await place();
    const stranger = git.world.user();
    expect(await rule('All', 1)).toMatchObject({ rule_type: 'any_approver', users: [] });
    expect(await rule('None', 1, { user_ids: [stranger.id], rule_type: 'regular' })).toMatchObject({
      ...{ rule_type: 'regular', users: [] },
    });
    expect(await codeOf(rule('All', 2, { rule_type: 'regular' }))).toBe('common.invalid_record');
    expect(await codeOf(rule('All again', 2))).toBe('common.invalid_record');
  });

  it('name groups that the caller sees, and show them to users who see them', async () => {
    const { as, boss, other, rule, approve, status } = await place();
    const group = git.world.group({ visibility: 'private' });
    expect(await codeOf(rule('Group', 1, { group_ids: [group.id] }))).toBe('common.invalid_record');
    git.world.join(boss, group, Access.Guest);
    git.world.join(other, group, Access.Guest);
    const made = await rule('Group', 1, { group_ids: [group.id] });
    expect(made).toMatchObject({ groups: [{ id: group.id }], contains_hidden_groups: false });
    expect(made.eligible_approvers.map(({ id }) => id)).toEqual([boss.id, other.id]);
    const hidden = await as(getApprovalRule, git.world.user(), { approval_rule_id: made.id });
    expect(hidden).toMatchObject({ groups: [], eligible_approvers: [], contains_hidden_groups: true });
    expect(await status()).toBe('not_approved');
    await approve(other);
    expect(await status()).toBe('mergeable');
  });

  it('are all stored if many are created concurrently', async () => {
    const { as, boss, rule } = await place();
    const names = Array.from({ length: 6 }, (_, at) => `rule ${at}`);
    await Promise.all(names.map((name) => rule(name, 1, { rule_type: 'regular' })));
    const listed = await as(listApprovalRules, boss);
    expect(listed.map(({ name }) => name).sort()).toEqual(names);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(names.length);
    const twice = await Promise.all([codeOf(rule('same', 1)), codeOf(rule('same', 1))]);
    expect(twice.sort()).toEqual(['common.invalid_record', 'ok']);
  });

  it('change in no archived project', async () => {
    const { project, boss } = await place();
    const archived = { ...project, isArchived: true };
    const call = (operation: Operation, input: object) =>
      codeOf(git.world.inProject(operation, archived, boss, Maintainer, input as never));
    const named = { approval_rule_id: 1 };
    expect(await call(createApprovalRule, { name: 'a', approvals_required: 1 })).toBe('project.archived');
    expect(await call(updateApprovalRule, { ...named, name: 'a' })).toBe('project.archived');
    expect(await call(deleteApprovalRule, named)).toBe('project.archived');
    expect(await call(updateApprovalSettings, { reset_approvals_on_push: true })).toBe('project.archived');
  });
});

describe('a merge request', () => {
  it('is merged when its rules are met, and shows that', async () => {
    const { project, author, boss, other, iid, one, as, rule, approve, status, shown, actions } = await place();
    const { id } = await rule('Readers', 1, { user_ids: [other.id] });
    await rule('All', 2);
    expect(await status()).toBe('not_approved');
    expect(await codeOf(git.merge(project, author, iid))).toBe('merge_request.not_mergeable');
    expect(await shown()).toMatchObject({
      ...{ approved: false, approvals_required: 3, approvals_left: 3, has_approval_rules: true },
      suggested_approvers: [{ id: other.id }],
    });
    await approve(boss);
    expect(await codeOf(git.merge(project, author, iid))).toBe('merge_request.not_mergeable');
    await as(unapproveMergeRequest, boss, one);
    await approve(boss);
    const done = await approve(other);
    expect(done).toMatchObject({ approved: true, approvals_left: 0, approval_rules_left: [], suggested_approvers: [] });
    const state = await as(getMergeRequestApprovalState, author, one);
    expect(state).toMatchObject({
      approval_rules_overwritten: false,
      rules: [
        { id, name: 'Readers', approved: true, approved_by: [{ id: other.id }] },
        { name: 'All', approved: true, approved_by: [{ id: boss.id }, { id: other.id }] },
      ],
    });
    expect(await status()).toBe('mergeable');
    await as(unapproveMergeRequest, other, one);
    expect(await status()).toBe('not_approved');
    await approve(other);
    await eventually(() => actions().length === 7, 'the events');
    expect(actions()).toEqual(['open', 'approval', 'unapproval', 'approval', 'approved', 'unapproved', 'approved']);
    expect(await git.merge(project, author, iid)).toMatchObject({ state: 'merged' });
  });

  it('publishes each approval if there are no rules', async () => {
    const { other, one, as, approve, actions } = await place();
    await approve(other);
    await as(unapproveMergeRequest, other, one);
    await eventually(() => actions().length === 3, 'the events');
    expect(actions()).toEqual(['open', 'approved', 'unapproved']);
  });

  it('that is promised is merged when it is approved', async () => {
    const { project, author, other, iid, opened, rule, as, one, approve } = await place();
    await rule('All', 1);
    const sha = opened.sha!;
    git.pipelines.set(sha, 'running');
    const promise = () => git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    expect(await codeOf(promise())).toBe('merge_request.not_mergeable');
    await approve(other);
    await promise();
    await as(unapproveMergeRequest, other, one);
    git.pipelines.set(sha, 'success');
    const facts = { project_id: project.id, pipeline_id: 1, ref: 'feature', tag: false, sha, user_id: author.id };
    await git.world.service.emit(pipelineChanged, { ...facts, status: 'success' } as never);
    expect((await git.get(project, iid, author)).state).toBe('opened');
    await approve(other);
    await eventually(async () => (await git.get(project, iid, author)).state === 'merged', 'the merge');
  });

  it('has its own rules after one of them is changed', async () => {
    const { boss, other, author, one, as, rule, status } = await place();
    const ofProject = await rule('All', 1);
    const listed = () => as(listMergeRequestApprovalRules, author, one);
    const { protected_branches: _, applies_to_all_protected_branches: __, ...asThere } = ofProject;
    expect(await listed()).toEqual([{ ...asThere, overridden: false }]);
    const named = { ...one, approval_rule_id: ofProject.id };
    expect(await as(getMergeRequestApprovalRule, author, named)).toMatchObject({ id: ofProject.id });
    const changed = await as(updateMergeRequestApprovalRule, author, { ...named, approvals_required: 0 });
    expect(changed).toMatchObject({ id: ofProject.id, approvals_required: 0, overridden: true });
    expect(await status()).toBe('mergeable');
    expect(await as(listApprovalRules, author)).toEqual([ofProject]);
    const own = await as(createMergeRequestApprovalRule, author, {
      ...{ ...one, name: 'Readers', approvals_required: 1, user_ids: [other.id] },
    });
    expect(own).toMatchObject({ users: [{ id: other.id }], overridden: false });
    expect(await status()).toBe('not_approved');
    expect(await as(getMergeRequestApprovalState, author, one)).toMatchObject({ approval_rules_overwritten: true });
    await as(deleteMergeRequestApprovalRule, author, { ...one, approval_rule_id: own.id });
    expect((await listed()).map(({ id }) => id)).toEqual([ofProject.id]);
    await as(updateApprovalRule, boss, { approval_rule_id: ofProject.id, approvals_required: 5 }, Maintainer);
    expect(await status()).toBe('mergeable');
    for (const operation of [getMergeRequestApprovalRule, deleteMergeRequestApprovalRule])
      expect(await codeOf(as(operation, author, { ...one, approval_rule_id: own.id }))).toBe('approval_rule.not_found');
  });

  it('keeps the rules of the project if the project forbids overrides', async () => {
    const { boss, author, one, as, rule } = await place();
    const { id } = await rule('All', 1);
    await as(updateApprovalSettings, boss, { disable_overriding_approvers_per_merge_request: true }, Maintainer);
    const named = { ...one, approval_rule_id: id };
    const calls = [
      as(createMergeRequestApprovalRule, author, { ...one, name: 'Own', approvals_required: 0 }),
      as(updateMergeRequestApprovalRule, author, { ...named, approvals_required: 0 }),
      as(deleteMergeRequestApprovalRule, author, named),
    ];
    expect(await Promise.all(calls.map(codeOf))).toEqual(Array(3).fill('approval_rule.overriding_disabled'));
  });

  it('loses all approvals when they are reset', async () => {
    const { boss, other, one, as, approve, shown } = await place();
    await approve(other);
    for (let turn = 0; turn < 2; turn++) await as(resetMergeRequestApprovals, boss, one, Maintainer);
    expect(await shown()).toMatchObject({ approved: false, approved_by: [] });
  });

  it('loses its approvals after a push, and its author cannot approve, if the project sets that', async () => {
    const { project, boss, author, other, opened, one, as, rule, approve, shown, status } = await place();
    await rule('All', 1);
    await approve(author);
    expect(await status()).toBe('mergeable');
    const settings = { reset_approvals_on_push: true, merge_requests_author_approval: false };
    const changed = await as(updateApprovalSettings, boss, settings, Maintainer);
    expect(changed).toMatchObject(settings);
    expect(await as(getApprovalSettings, author)).toEqual(changed);
    expect(await status()).toBe('not_approved');
    await approve(other);
    expect(await status()).toBe('mergeable');
    git.commit(project, 'feature', 'third');
    // The event of the push has not arrived yet.
    expect(await codeOf(as(mergeMergeRequest, boss, one, Maintainer))).toBe('merge_request.not_mergeable');
    await git.push(project, author, 'feature', opened.sha);
    await eventually(async () => (await shown()).approved_by.length === 0, 'the end of the approvals');
    expect(await shown()).toMatchObject({ user_can_approve: false });
    expect(await codeOf(approve(author))).toBe('common.unauthorized');
  });
});

describe('the settings of a project', () => {
  it('require a number of approvals by a rule', async () => {
    const { boss, as } = await place();
    const set = (approvals_before_merge: number) =>
      as(updateApprovalSettings, boss, { approvals_before_merge }, Maintainer);
    expect(await set(2)).toMatchObject({ approvals_before_merge: 2, merge_requests_author_approval: true });
    expect(await as(listApprovalRules, boss)).toMatchObject([
      { name: 'All Members', rule_type: 'any_approver', approvals_required: 2 },
    ]);
    expect(await set(0)).toMatchObject({ approvals_before_merge: 0 });
    expect(await as(listApprovalRules, boss)).toEqual([]);
  });

  it('refuse settings without effect', async () => {
    const { boss, as } = await place();
    const off = { require_password_to_approve: false, merge_requests_disable_committers_approval: false };
    expect(await as(updateApprovalSettings, boss, off, Maintainer)).toMatchObject(off);
    for (const name of Object.keys(off))
      expect(updateApprovalSettings.input.safeParse({ id: '1', [name]: true }).success).toBe(false);
  });
});

it('deleted users, groups and projects leave no rule that nobody can fulfil', async () => {
  const { project, boss, other, author, one, as, rule, status } = await place();
  const group = git.world.group({ visibility: 'public' });
  const made = await rule('Named', 1, { user_ids: [other.id], group_ids: [group.id] });
  const own = { ...one, name: 'Own', approvals_required: 1, user_ids: [other.id] };
  await as(createMergeRequestApprovalRule, author, own);
  expect(await status()).toBe('not_approved');
  const gone = { user_id: other.id, username: other.username, ghost_user_id: 1, hard_delete: false };
  await git.world.service.emit(userDeleted, gone);
  await git.world.service.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath } as never);
  await eventually(async () => (await status()) === 'mergeable', 'the rule to be void');
  const left = async () => as(getApprovalRule, boss, { approval_rule_id: made.id });
  await eventually(async () => (await left()).users.length + (await left()).groups.length === 0, 'the names to go');
  expect(await left()).toMatchObject({ contains_hidden_groups: false });
  await git.world.service.emit(projectDeleted, { project_id: project.id, full_path: project.fullPath } as never);
  await eventually(async () => (await as(listApprovalRules, boss)).length === 0, 'the rules to go');
});
