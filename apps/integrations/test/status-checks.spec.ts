import { createHmac } from 'node:crypto';
import {
  answerStatusCheck,
  createExternalStatusCheck,
  deleteExternalStatusCheck,
  type EventInput,
  getMergeRequest,
  listExternalStatusChecks,
  listProtections,
  listStatusChecks,
  MergeRequest,
  mergeRequestChanged,
  type ProjectRef,
  passedStatusChecks,
  projectDeleted,
  retryStatusCheck,
  updateExternalStatusCheck,
} from '@moothall/contracts';
import { contextOf, eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StatusCheckAnswer } from '../src/status-check/status-check-answer.schema';
import { startWithReceiver } from './integrations-under-test';
import { viewOf } from './views';

const started = shareBetweenTests(() => startWithReceiver());

const [tip, later] = ['a'.repeat(40), 'b'.repeat(40)];
const at = '2026-01-01T00:00:00.000Z';

/** A project with a merge request. */
function newProject(target_branch = 'main') {
  const { bed, under, receiver } = started;
  const project = bed.project();
  const request = { iid: 1, sha: tip, target_branch };
  under.respond(getMergeRequest, () => ({ ...viewOf(MergeRequest), ...request, state: 'opened' }) as never);
  under.respond(listProtections, () => [
    { id: 5, kind: 'branch' as const, name: 'release-*', pushLevels: [], mergeLevels: [], allowsForcePush: false },
  ]);
  const path = `/check-${project.id}`;
  const as = { ...bed.as(project), project, caller: bed.as(project).caller! };
  const given = { id: String(project.id) };
  const one = { ...given, merge_request_iid: 1 };
  return {
    ...{ project, request, path, as, given, one },
    received: () => receiver.at(path).map(({ body }) => body),
    create: (over: object = {}) =>
      bed.call(createExternalStatusCheck, { ...given, name: 'lint', external_url: receiver.url(path), ...over }, as),
    states: async () => (await bed.call(listStatusChecks, one, as)).items.map(({ status }) => status),
    answer: (check: { id: number }, status: 'passed' | 'failed' | 'pending' = 'passed', sha = request.sha) =>
      bed.call(answerStatusCheck, { ...one, external_status_check_id: check.id, sha, status }, as),
    retry: (check: { id: number }) => bed.call(retryStatusCheck, { ...one, external_status_check_id: check.id }, as),
    passed: async () =>
      (await bed.call(passedStatusChecks, { project_id: project.id, merge_requests: [{ ...request }] }, contextOf({})))
        .length === 1,
    change: (over: object = {}) => bed.emit(mergeRequestChanged, changeOf(project, { target_branch, ...over })),
  };
}

function changeOf(project: ProjectRef, over: object): EventInput<typeof mergeRequestChanged> {
  const merge_request = {
    ...{ id: uniqueId(), iid: 1, project_id: project.id, source_project_id: project.id, title: 'Crane' },
    ...{ description: null, state: 'opened', source_branch: 'topic', target_branch: 'main', author_id: 7 },
    ...{ assignee_ids: [], reviewer_ids: [], label_ids: [], milestone_id: null, work_in_progress: false },
    ...{ merge_status: 'unchecked', head_sha: tip, merge_commit_sha: null, created_at: at, updated_at: at },
    ...over,
  };
  return { action: 'open', user_id: 7, merge_request } as never;
}

const refused = (code: string) => expect.objectContaining({ code });

describe('a check', () => {
  it('is created, listed, changed and deleted, and never shows its secrets', async () => {
    const { as, given, create } = newProject();
    const { bed, receiver } = started;
    const check = await create({
      external_url: receiver.url('/x').replace('http://', 'http://ada:secret@'),
      shared_secret: 'hush',
      protected_branch_ids: [5],
    });
    expect(check).toMatchObject({ name: 'lint', hmac: true, protected_branches: [{ id: 5, name: 'release-*' }] });
    expect(JSON.stringify(check)).not.toMatch(/hush|secret/);
    const change = (over: object) => bed.call(updateExternalStatusCheck, { ...given, check_id: check.id, ...over }, as);
    expect(await change({ name: 'tidy' })).toEqual({ ...check, name: 'tidy' });
    expect(await change({ external_url: check.external_url })).toMatchObject({ external_url: check.external_url });
    await expect(change({ external_url: `${check.external_url}/y` })).rejects.toEqual(
      refused('hook.masked_credentials'),
    );
    expect(await change({ external_url: 'https://8.8.8.8/' })).toMatchObject({ hmac: false });
    expect((await bed.call(listExternalStatusChecks, given, as)).items).toMatchObject([{ name: 'tidy' }]);
    await bed.call(deleteExternalStatusCheck, { ...given, check_id: check.id }, as);
    await expect(change({ name: 'x' })).rejects.toEqual(refused('status_check.not_found'));
  });

  it('has a unique name, also if two are created at the same time', async () => {
    const { create } = newProject();
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => create()));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(create()).rejects.toEqual(refused('status_check.name_taken'));
  });

  it.each([
    ['another scheme', { external_url: 'ftp://x' }, 'hook.scheme_blocked'],
    ['a masked password', { external_url: 'https://*****:*****@8.8.8.8/' }, 'hook.masked_credentials'],
    ['a branch that is not protected', { protected_branch_ids: [6] }, 'common.invalid_record'],
  ])('is refused with %s', async (_what, over, code) => {
    await expect(newProject().create(over)).rejects.toEqual(refused(code));
  });

  it('is deleted with its project, and so are its responses', async () => {
    const { project, create, answer } = newProject();
    await answer(await create());
    await started.bed.emit(projectDeleted, {
      ...{ project_id: project.id, full_path: project.fullPath, storage: project.storage },
    });
    const answers = started.under.running.app.get<Model<StatusCheckAnswer>>(getModelToken('StatusCheckAnswer'), {
      strict: false,
    });
    await eventually(async () => !(await answers.exists({ projectId: project.id })), 'the end of its answers');
  });
});

describe('a merge request', () => {
  it('is delivered to checks, signed, and waits for all of them', async () => {
    const { received, create, change, states, answer, passed, path } = newProject();
    const check = await create({ shared_secret: 'hush' });
    await create({ name: 'elsewhere', protected_branch_ids: [5] });
    expect(await states()).toEqual(['pending']);
    await change();
    await eventually(async () => received().length === 1, 'the news');
    expect(received()[0]).toMatchObject({
      object_kind: 'merge_request',
      object_attributes: { iid: 1, target_branch: 'main' },
      external_approval_rule: { id: check.id, name: 'lint' },
    });
    const { text, headers } = started.receiver.at(path)[0]!;
    expect(headers['x-gitlab-signature']).toBe(createHmac('sha256', 'hush').update(text).digest('hex'));
    expect(await passed()).toBe(false);
    expect(await answer(check, 'failed')).toMatchObject({ external_status_check: { id: check.id } });
    expect(await states()).toEqual(['failed']);
    await answer(check);
    expect([await states(), await passed()]).toEqual([['passed'], true]);
  });

  it('is checked again after a push, and answers about the old commit are refused', async () => {
    const { request, create, states, answer, passed } = newProject();
    const check = await create();
    await answer(check);
    request.sha = later;
    expect([await states(), await passed()]).toEqual([['pending'], false]);
    await expect(answer(check, 'passed', tip)).rejects.toEqual(refused('status_check.sha_moved'));
  });

  it('of another branch is nothing to a check', async () => {
    const elsewhere = newProject();
    const check = await elsewhere.create({ protected_branch_ids: [5] });
    await expect(elsewhere.answer(check)).rejects.toEqual(refused('status_check.not_found'));
    expect([await elsewhere.states(), await elsewhere.passed()]).toEqual([[], true]);
    const there = newProject('release-1');
    await there.create({ protected_branch_ids: [5] });
    expect([await there.states(), await there.passed()]).toEqual([['pending'], false]);
  });

  it('fails if a service does not answer, and is delivered again on retry', async () => {
    const { project, received, create, change, states, answer, retry } = newProject();
    const check = await create();
    await change();
    await eventually(async () => received().length === 1, 'the news');
    await expect(retry(check)).rejects.toEqual(refused('status_check.not_failed'));
    const answers = started.under.running.app.get<Model<StatusCheckAnswer>>(getModelToken('StatusCheckAnswer'), {
      strict: false,
    });
    await answers.updateOne({ projectId: project.id }, { $set: { askedAt: new Date(Date.now() - 121_000) } });
    expect(await states()).toEqual(['failed']);
    expect(await retry(check)).toEqual({ message: '202 Accepted' });
    await eventually(async () => received().length === 2, 'the news again');
    expect(received()[1]).toMatchObject({ object_attributes: { last_commit: { id: tip } } });
    expect(await states()).toEqual(['pending']);
    await Promise.all([answer(check), answer(check, 'failed'), answer(check)]);
    expect(['passed', 'failed']).toContain((await states())[0]);
  });

  it('is not delivered after it is merged, nor twice if its event arrives twice', async () => {
    const { received, create, change } = newProject();
    await create();
    await change({ state: 'merged' });
    await change();
    await eventually(async () => received().length > 0, 'the news');
    expect(received()).toHaveLength(1);
  });
});
