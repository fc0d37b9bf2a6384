import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, newUser, root, uniqueName } from '../server/connection';
import { git, gitLines, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* Merge requests by a v4 client, on branches that real git pushes and reads. */

type User = Awaited<ReturnType<typeof newUser>>;

let author: User;
let folder: string;
let projectId: number;
let remote: string;

beforeAll(async () => {
  author = await newUser('author');
  const project = await root.Projects.create({ name: uniqueName('merging') });
  projectId = project.id;
  await root.ProjectMembers.add(projectId, 40, { userId: author.id });
  remote = remoteUrl(String(project.path_with_namespace), author.username, author.token);
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-merging-'));
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  commit('README.md', '# Merging\n');
  push('main');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function commit(name: string, content: string, message = `Write ${name}`): string {
  writeFileSync(path.join(folder, name), content);
  git(folder, ['add', '.']);
  git(folder, ['commit', '--quiet', '-m', message]);
  return gitText(folder, ['rev-parse', 'HEAD']);
}

const push = (...refs: string[]) => git(folder, ['push', '--quiet', remote, ...refs]);

/** A branch off main with one commit, pushed. @returns its name and head */
function branchWith(name: string, content: string, message?: string): { branch: string; sha: string } {
  const branch = uniqueName('branch');
  git(folder, ['fetch', '--quiet', remote, 'main']);
  git(folder, ['checkout', '--quiet', '-B', branch, 'FETCH_HEAD']);
  const sha = commit(name, content, message);
  push(branch);
  return { branch, sha };
}

const open = (branch: string, title: string, options = {}) =>
  author.client.MergeRequests.create(projectId, branch, 'main', title, options);

const mainAtServer = (): string => gitText(folder, ['ls-remote', remote, 'refs/heads/main']).split('\t')[0]!;

const notesOf = async (iid: number): Promise<string[]> => {
  const notes = await author.client.MergeRequestNotes.all(projectId, iid, { sort: 'asc' });
  return notes.map(({ body }) => String(body));
};

const mergeRequestsOf = async (sha: string): Promise<number[]> =>
  (await author.client.Commits.allMergeRequests(projectId, sha)).map(({ iid }) => iid);

/** Status and body of a response that clients turn into an exception. */
async function answerOf(method: string, rest: string, body: object = {}) {
  const response = await ask(`/api/v4/projects/${projectId}/merge_requests${rest}`, {
    method,
    token: author.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

it('shows the branches as git has them', async () => {
  const { branch, sha } = branchWith('shown.txt', 'one\ntwo\n');
  const base = gitText(folder, ['merge-base', 'HEAD', 'FETCH_HEAD']);
  const made = await open(branch, 'Shown');
  expect(made).toMatchObject({ state: 'opened', sha, source_branch: branch, merge_status: 'can_be_merged' });
  const shown = await author.client.MergeRequests.show(projectId, made.iid);
  expect(shown).toMatchObject({
    has_conflicts: false,
    changes_count: '1',
    diff_refs: { base_sha: base, head_sha: sha, start_sha: mainAtServer() },
    user: { can_merge: true },
  });
  const commits = await author.client.MergeRequests.allCommits(projectId, made.iid);
  expect(commits.map(({ id }) => id)).toEqual(gitLines(folder, ['rev-list', `${base}..${sha}`]));
  const [diff] = await author.client.MergeRequests.allDiffs(projectId, made.iid);
  const patch = git(folder, ['diff', base, sha]).toString();
  expect(diff).toMatchObject({ new_path: 'shown.txt', new_file: true, diff: patch.slice(patch.indexOf('@@')) });
});

it('merges with a merge commit of the merging user, and deletes the source branch', async () => {
  const { branch, sha } = branchWith('merged.txt', 'merged\n');
  const before = mainAtServer();
  const { iid } = await open(branch, 'Bring merged.txt');
  const options = { sha, shouldRemoveSourceBranch: true };
  const merged = await author.client.MergeRequests.merge(projectId, iid, options);
  expect(merged).toMatchObject({ state: 'merged', merged_by: { username: author.username } });
  git(folder, ['fetch', '--quiet', remote, 'main']);
  const [id, ...parents] = gitText(folder, ['log', '-1', '--format=%H %P', 'FETCH_HEAD']).split(' ');
  expect(id).toBe(merged.merge_commit_sha);
  expect(parents).toEqual([before, sha]);
  expect(gitText(folder, ['show', 'FETCH_HEAD:merged.txt'])).toBe('merged');
  expect(gitText(folder, ['log', '-1', '--format=%s', 'FETCH_HEAD'])).toBe(`Merge branch '${branch}' into 'main'`);
  expect(gitText(folder, ['ls-remote', remote, `refs/heads/${branch}`])).toBe('');
  expect(await notesOf(iid)).toContain('merged');
  const commits = await author.client.MergeRequests.allCommits(projectId, iid);
  expect(commits.map((each) => each.id)).toEqual([sha]);
  for (const one of [sha, id!]) expect(await mergeRequestsOf(one)).toEqual([iid]);
});

it('squashes on request', async () => {
  const { branch } = branchWith('squash-1.txt', '1\n');
  commit('squash-2.txt', '2\n');
  push(branch);
  const { iid } = await open(branch, 'Two at once', { squash: true });
  const merged = await author.client.MergeRequests.merge(projectId, iid, { squashCommitMessage: 'Both files' });
  git(folder, ['fetch', '--quiet', remote, 'main']);
  const [, squashed] = gitText(folder, ['log', '-1', '--format=%P', 'FETCH_HEAD']).split(' ');
  expect(merged.squash_commit_sha).toBe(squashed);
  expect(gitText(folder, ['log', '-1', '--format=%s', squashed!])).toBe('Both files');
  expect(gitLines(folder, ['show', '--format=', '--name-only', squashed!]).sort()).toEqual([
    'squash-1.txt',
    'squash-2.txt',
  ]);
  expect(await mergeRequestsOf(squashed!)).toEqual([iid]);
});

it('notes pushed commits, and stores versions', async () => {
  const { branch, sha } = branchWith('moving.txt', '1\n');
  const { iid } = await open(branch, 'Moving');
  const next = commit('moving.txt', '2\n', 'Go on');
  push(branch);
  const note = await until('the note', async () => (await notesOf(iid)).find((body) => body.startsWith('added')));
  expect(note).toBe(`added 1 commit\n\n* ${next.slice(0, 8)} - Go on`);
  const versions = await author.client.MergeRequests.allDiffVersions(projectId, iid);
  expect(versions.map(({ head_commit_sha }) => head_commit_sha)).toEqual([next, sha]);
  expect(await answerOf('PUT', `/${iid}/merge`, { sha })).toEqual({
    status: 409,
    body: { message: `SHA does not match HEAD of source branch: ${next}` },
  });
});

it('notices a merge that was pushed', async () => {
  const { branch, sha } = branchWith('by-push.txt', 'x\n');
  const { iid } = await open(branch, 'By push');
  git(folder, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
  git(folder, ['merge', '--quiet', '--no-ff', '-m', 'By hand', sha]);
  const id = gitText(folder, ['rev-parse', 'HEAD']);
  push('HEAD:main');
  const merged = await until('the merge', async () => {
    const shown = await author.client.MergeRequests.show(projectId, iid);
    return shown.state === 'merged' && shown;
  });
  expect(merged).toMatchObject({ merge_commit_sha: id, merged_by: { username: author.username } });
});

it('refuses a conflict, which a rebase does not solve either', async () => {
  const [ours, theirs] = [branchWith('conflict.txt', 'ours\n'), branchWith('conflict.txt', 'theirs\n')];
  const { iid } = await open(theirs.branch, 'Conflicting');
  const first = await open(ours.branch, 'First');
  await author.client.MergeRequests.merge(projectId, first.iid);
  const shown = await author.client.MergeRequests.show(projectId, iid);
  expect(shown).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
  const before = mainAtServer();
  expect(await answerOf('PUT', `/${iid}/merge`)).toEqual({ status: 406, body: { message: 'Branch cannot be merged' } });
  expect(mainAtServer()).toBe(before);
  expect(await author.client.MergeRequests.rebase(projectId, iid)).toEqual({ rebase_in_progress: true });
  expect((await author.client.MergeRequests.show(projectId, iid)).merge_error).toMatch(/^Rebase failed/);
});

it('rebases onto the current target', async () => {
  const late = branchWith('late.txt', 'late\n');
  const early = branchWith('early.txt', 'early\n');
  const { iid } = await open(late.branch, 'Late');
  await author.client.MergeRequests.merge(projectId, (await open(early.branch, 'Early')).iid);
  await author.client.MergeRequests.rebase(projectId, iid);
  git(folder, ['fetch', '--quiet', remote, late.branch]);
  expect(gitText(folder, ['rev-parse', 'FETCH_HEAD^'])).toBe(mainAtServer());
  const shown = await author.client.MergeRequests.show(projectId, iid, { includeDivergedCommitsCount: true });
  expect(shown).toMatchObject({ sha: gitText(folder, ['rev-parse', 'FETCH_HEAD']), diverged_commits_count: 0 });
});

it('refuses the same branches twice, one branch, and branches that do not exist', async () => {
  const { branch } = branchWith('twice.txt', 'x\n');
  const { iid } = await open(branch, 'Once');
  const again = { source_branch: branch, target_branch: 'main', title: 'Twice' };
  expect(await answerOf('POST', '', again)).toEqual({
    status: 409,
    body: { message: [`Another open merge request already exists for this source branch: !${iid}`] },
  });
  expect(await answerOf('POST', '', { ...again, target_branch: branch })).toEqual({
    status: 422,
    body: { message: ["You can't use same project/branch for source and target"] },
  });
  expect(await answerOf('POST', '', { ...again, source_branch: 'none' })).toMatchObject({
    status: 400,
    body: { message: { source_branch: [expect.any(String)] } },
  });
  const edited = await author.client.MergeRequests.edit(projectId, iid, { stateEvent: 'close', addLabels: 'done' });
  expect(edited).toMatchObject({ state: 'closed', labels: ['done'] });
  expect(await answerOf('POST', '', again)).toMatchObject({ status: 201 });
});

it('is merged from a fork by callers with the right', async () => {
  await root.Projects.edit(projectId, { visibility: 'public' });
  const contributor = await newUser('contributor');
  const fork = await contributor.client.Projects.fork(projectId);
  await until('the fork', async () => {
    const { import_status } = await contributor.client.Projects.show(fork.id);
    return ['none', 'finished'].includes(String(import_status));
  });
  const away = remoteUrl(String(fork.path_with_namespace), contributor.username, contributor.token);
  git(folder, ['fetch', '--quiet', remote, 'main']);
  git(folder, ['checkout', '--quiet', '-B', 'offer', 'FETCH_HEAD']);
  const sha = commit('offer.txt', 'from outside\n');
  git(folder, ['push', '--quiet', away, 'offer']);
  const made = await contributor.client.MergeRequests.create(fork.id, 'offer', 'main', 'An offer', {
    targetProjectId: projectId,
  });
  expect(made).toMatchObject({ project_id: projectId, source_project_id: fork.id, sha, user: { can_merge: false } });
  const refused = await ask(`/api/v4/projects/${projectId}/merge_requests/${made.iid}/merge`, {
    method: 'PUT',
    token: contributor.token,
  });
  expect(refused.status).toBe(401);
  const merged = await author.client.MergeRequests.merge(projectId, made.iid);
  expect(merged.state).toBe('merged');
  git(folder, ['fetch', '--quiet', remote, 'main']);
  expect(gitText(folder, ['show', 'FETCH_HEAD:offer.txt'])).toBe('from outside');
});

it('has notes, awards, time tracking and subscriptions', async () => {
  const { branch } = branchWith('discussed.txt', 'x\n');
  const { iid } = await open(branch, 'Discussed');
  const { MergeRequests, MergeRequestNotes, MergeRequestAwardEmojis, MergeRequestLabelEvents } = author.client;
  const note = await MergeRequestNotes.create(projectId, iid, 'Looks good');
  expect(note).toMatchObject({ body: 'Looks good', noteable_type: 'MergeRequest', noteable_iid: iid });
  expect(await MergeRequestNotes.show(projectId, iid, note.id)).toMatchObject({ id: note.id });
  const edited = await MergeRequestNotes.edit(projectId, iid, note.id, { body: 'Looks great' });
  expect(edited.body).toBe('Looks great');
  await MergeRequestNotes.remove(projectId, iid, note.id);
  expect(await MergeRequestNotes.all(projectId, iid)).toEqual([]);
  await MergeRequestAwardEmojis.award(projectId, iid, 'thumbsup');
  await MergeRequests.edit(projectId, iid, { labels: 'bug,ui', description: '- [x] a\n- [ ] b' });
  const events = await MergeRequestLabelEvents.all(projectId, iid);
  expect(events.map(({ label }) => (label as { name: string }).name)).toEqual(['bug', 'ui']);
  await MergeRequests.setTimeEstimate(projectId, iid, '1d');
  expect(await MergeRequests.addSpentTime(projectId, iid, '2h')).toMatchObject({ total_time_spent: 7200 });
  expect(await MergeRequests.showTimeStats(projectId, iid)).toMatchObject({ human_time_estimate: '1d' });
  expect(await MergeRequests.unsubscribe(projectId, iid)).toMatchObject({ subscribed: false });
  expect(await MergeRequests.allParticipants(projectId, iid)).toMatchObject([{ username: author.username }]);
  const listed = await MergeRequests.all({ projectId, sourceBranch: branch });
  expect(listed).toMatchObject([
    { iid, upvotes: 1, labels: ['bug', 'ui'], task_completion_status: { count: 2, completed_count: 1 } },
  ]);
  expect(await MergeRequests.all({ scope: 'created_by_me', state: 'opened', perPage: 100 })).toContainEqual(
    expect.objectContaining({ iid, project_id: projectId }),
  );
});

it('require approvals of users named by rules', async () => {
  const { branch } = branchWith('ruled.txt', 'x');
  const reader = await newUser('reader');
  await root.ProjectMembers.add(projectId, 30, { userId: reader.id });
  const { MergeRequestApprovals: rules, MergeRequests } = author.client;
  const made = await rules.createApprovalRule(projectId, 'Readers', 1, { userIds: [reader.id] });
  expect(made).toMatchObject({ name: 'Readers', rule_type: 'regular', users: [{ id: reader.id }] });
  const { iid } = await open(branch, 'To be read');
  const one = { mergerequestIId: iid };
  try {
    expect(await rules.allApprovalRules(projectId)).toMatchObject([{ id: made.id }]);
    expect(await rules.showApprovalRule(projectId, made.id)).toMatchObject({ name: 'Readers' });
    await until('the status', async () => {
      const { detailed_merge_status } = await MergeRequests.show(projectId, iid);
      return detailed_merge_status === 'not_approved';
    });
    await expect(MergeRequests.merge(projectId, iid)).rejects.toThrow(/405|Method Not Allowed/);
    expect(await rules.editApprovalRule(projectId, made.id, 'Others', 2)).toMatchObject({ approvals_required: 2 });
    expect(await rules.editConfiguration(projectId, { resetApprovalsOnPush: true })).toMatchObject({
      ...{ reset_approvals_on_push: true, merge_requests_author_approval: true },
    });
    expect(await rules.showConfiguration(projectId)).toMatchObject({ reset_approvals_on_push: true });
    await rules.editConfiguration(projectId, { resetApprovalsOnPush: false });
    expect(await rules.allApprovalRules(projectId, one)).toMatchObject([{ id: made.id, name: 'Others' }]);
    expect(await rules.editApprovalRule(projectId, made.id, 'Others', 1, one)).toMatchObject({ overridden: true });
    const own = await rules.createApprovalRule(projectId, 'All', 1, one);
    await rules.removeApprovalRule(projectId, Number(own.id), one);
    await reader.client.MergeRequestApprovals.approve(projectId, iid);
    expect(await rules.showApprovalState(projectId, iid)).toMatchObject({
      ...{
        approval_rules_overwritten: true,
        rules: [{ name: 'Others', approved: true, approved_by: [{ id: reader.id }] }],
      },
    });
    const reset = `/api/v4/projects/${projectId}/merge_requests/${iid}/reset_approvals`;
    expect((await ask(reset, { method: 'PUT', token: author.token })).status).toBe(202);
    expect(await rules.showConfiguration(projectId, one)).toMatchObject({ approvals_left: 1, approved: false });
    await reader.client.MergeRequestApprovals.approve(projectId, iid);
    expect(await MergeRequests.merge(projectId, iid)).toMatchObject({ state: 'merged' });
  } finally {
    await rules.removeApprovalRule(projectId, made.id);
  }
  expect(await rules.allApprovalRules(projectId)).toEqual([]);
});

it('are approved by developers', async () => {
  const { branch, sha } = branchWith('approved.txt', 'x');
  const { iid } = await open(branch, 'To be approved');
  const { MergeRequestApprovals } = author.client;
  await expect(MergeRequestApprovals.approve(projectId, iid, { sha: 'f'.repeat(40) })).rejects.toThrow(/409|SHA/);
  const approved = await MergeRequestApprovals.approve(projectId, iid, { sha });
  expect(approved).toMatchObject({ approved: true, approved_by: [{ user: { id: author.id } }] });
  const shown = await MergeRequestApprovals.showConfiguration(projectId, { mergerequestIId: iid });
  expect(shown).toMatchObject({ user_has_approved: true, approvals_left: 0 });
  expect(await MergeRequestApprovals.showApprovalState(projectId, iid)).toMatchObject({ rules: [] });
  expect((await answerOf('POST', `/${iid}/approve`)).status).toBe(401);
  await MergeRequestApprovals.unapprove(projectId, iid);
  expect(await MergeRequestApprovals.showConfiguration(projectId, { mergerequestIId: iid })).toMatchObject({
    approved: false,
  });
});
