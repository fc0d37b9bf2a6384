import {
  Access,
  cancelAutoMerge,
  commonErrors,
  createIssue,
  createMergeRequestPipeline,
  createPipelineOfMergeRequest,
  getIssue,
  listIssuesClosedByMergeRequest,
  listMergeRequestCommits,
  listMergeRequestStateEvents,
  listProjectMergeRequests,
  mergeBranches,
  mergeErrors,
  mergeRequestChanged,
  pipelineChanged,
  rebaseMergeRequest,
  updateIssue,
  userChanged,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { UserDirectory } from '@moothall/users';
import { CloseIssues } from '../src/merge-request/follow/close-issues';
import { NameClosing } from '../src/merge-request/follow/name-closing';
import { AutoMerges } from '../src/merge-request/merge/auto-merges';
import { ResumeMerges } from '../src/merge-request/merge/resume-merges';
import { MergeRequests } from '../src/merge-request/record/merge-request.repository';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests, when they are merged', () => {
  it('update the target, with the merging user and a note', async () => {
    const project = git.project();
    const [author, merger] = [git.member(project), git.member(project)];
    const made = await git.open(project, author);
    const merged = await git.merge(project, merger, made.iid, { sha: made.sha, should_remove_source_branch: true });
    expect(merged).toMatchObject({
      state: 'merged',
      merge_commit_sha: git.tip(project, 'main'),
      merged_by: { id: merger.id },
      closed_by: null,
    });
    expect(merged.merged_at).not.toBeNull();
    expect(git.tip(project, 'feature')).toBeNull();
    expect(await git.notesOf(project, author, made.iid)).toEqual(['merged']);
    const on = { merge_request_iid: made.iid };
    const states = await git.world.inProject(listMergeRequestStateEvents, project, author, Access.Developer, on);
    expect(states.items).toMatchObject([{ state: 'merged', resource_id: made.id, user: { id: merger.id } }]);
    const actions = git.world.service
      .events(mergeRequestChanged)
      .filter(({ data }) => data.merge_request.id === made.id);
    expect(actions.map(({ data }) => data.action)).toEqual(['open', 'merge']);
    expect(await codeOf(git.merge(project, merger, made.iid))).toBe('merge_request.not_mergeable');
    expect(await git.update(project, author, made.iid, { state_event: 'reopen' })).toMatchObject({ state: 'merged' });
  });

  it('contain a summary in the merge commit', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author, { description: 'Closes #7' });
    await git.merge(project, author, iid);
    const before = { merge_request_iid: iid };
    const { items } = await git.world.inProject(listMergeRequestCommits, project, author, developer, before);
    expect(items.map(({ title }) => title)).toEqual(['second']);
    git.branch(project, 'look', 'main');
    git.commit(project, 'look', 'on top');
    const look = await git.open(project, author, { source_branch: 'look', target_branch: 'feature' });
    const asked = { merge_request_iid: look.iid };
    const seen = await git.world.inProject(listMergeRequestCommits, project, author, developer, asked);
    expect(seen.items[1]!.message).toBe(
      `Merge branch 'feature' into 'main'\n\nA feature\n\nCloses #7\n\nSee merge request ${project.fullPath}!${iid}`,
    );
  });

  it('are merged once under concurrent requests', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    const answers = await Promise.all([1, 2, 3, 4].map(() => codeOf(git.merge(project, author, iid))));
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1);
    expect(await git.notesOf(project, author, iid)).toEqual(['merged']);
  });

  it('are refused: a draft, conflicts, another tip, a protected target', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author, { title: 'Draft: A' });
    expect(await codeOf(git.merge(project, author, iid))).toBe('merge_request.not_mergeable');
    await git.update(project, author, iid, { title: 'A' });
    await expect(git.merge(project, author, iid, { sha: '1'.repeat(40) })).rejects.toMatchObject({
      value: { code: 'merge.source_moved', message: `SHA does not match HEAD of source branch: ${sha}` },
    });
    git.closed.add('main');
    expect(await codeOf(git.merge(project, author, iid)).finally(() => git.closed.delete('main'))).toBe(
      'merge.not_allowed',
    );
    git.conflicting.add('feature');
    const answer = await codeOf(git.merge(project, author, iid)).finally(() => git.conflicting.delete('feature'));
    expect(answer).toBe('merge.not_mergeable');
    expect(await git.get(project, iid, author)).toMatchObject({ state: 'opened' });
  });

  it('are open again with a reason if git refuses', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    await refusing(mergeErrors.notFastForward(), async () => {
      expect(await codeOf(git.merge(project, author, iid))).toBe('merge.not_fast_forward');
    });
    expect(await git.get(project, iid, author)).toMatchObject({
      state: 'opened',
      merge_error: expect.stringMatching(/fast/),
    });
    expect(await git.merge(project, author, iid)).toMatchObject({ state: 'merged', merge_error: null });
  });

  it('need a successful pipeline if the project requires it', async () => {
    const project = git.project();
    const author = git.member(project);
    git.settings.set(project.id, { only_allow_merge_if_pipeline_succeeds: true });
    const { iid, sha } = await git.open(project, author);
    expect(await codeOf(git.merge(project, author, iid))).toBe('merge_request.not_mergeable');
    git.pipelines.set(sha!, 'success');
    expect(await codeOf(git.merge(project, author, iid))).toBe('ok');
  });

  it('wait for the pipeline on request, until that is cancelled', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author);
    git.pipelines.set(sha!, 'running');
    const wait = () => git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    expect(await wait()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    const one = { merge_request_iid: iid };
    const stopped = await git.world.inProject(cancelAutoMerge, project, author, developer, one);
    // The answer of v4 servers.
    expect(stopped).toEqual({ status: 'success' });
    expect((await git.get(project, iid, author)).merge_when_pipeline_succeeds).toBe(false);
    expect(await codeOf(git.world.inProject(cancelAutoMerge, project, author, developer, one))).toBe(
      'merge_request.not_mergeable',
    );
    await wait();
    const facts = {
      project_id: project.id,
      pipeline_id: 1,
      ref: 'feature',
      tag: false,
      sha: sha!,
      user_id: author.id,
    };
    git.pipelines.set(sha!, 'success');
    await git.world.service.emit(pipelineChanged, { ...facts, status: 'success' } as never);
    await eventually(async () => (await git.get(project, iid, author)).state === 'merged');
    expect(await git.notesOf(project, author, iid)).toEqual([
      `enabled an automatic merge when the pipeline for ${sha!.slice(0, 8)} succeeds`,
      'canceled the automatic merge',
      `enabled an automatic merge when the pipeline for ${sha!.slice(0, 8)} succeeds`,
      'merged',
    ]);
  });

  // A blocked user cannot merge.
  it('wait while their user is blocked, and continue after that', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author);
    git.pipelines.set(sha!, 'running');
    await git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    const users = git.world.service.running.app.get(UserDirectory);
    const tell = async (state: 'active' | 'blocked') => {
      await git.world.service.emit(userChanged, { user_id: author.id, username: author.username, state });
      await eventually(async () => (await users.get(author.id)).state === state, 'the state of the user');
    };
    git.world.blocked.add(author.id);
    await tell('blocked');
    git.pipelines.set(sha!, 'success');
    const autoMerges = git.world.service.running.app.get(AutoMerges);
    const { id } = await git.get(project, iid, git.member(project));
    await autoMerges.wake(id);
    expect(await git.get(project, iid, author)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    git.world.blocked.delete(author.id);
    await tell('active');
    await eventually(async () => {
      await autoMerges.wake(id);
      return (await git.get(project, iid, author)).state === 'merged';
    });
  });

  // Lists and single views show the reason.
  it('show why they cannot be merged', async () => {
    const project = git.project();
    const author = git.member(project);
    git.settings.set(project.id, { only_allow_merge_if_pipeline_succeeds: true });
    const { iid, sha } = await git.open(project, author);
    const status = async () => (await git.get(project, iid, author)).detailed_merge_status;
    expect((await git.get(project, iid)).detailed_merge_status).toBe('mergeable');
    expect(await status()).toBe('ci_must_pass');
    git.pipelines.set(sha!, 'running');
    expect(await status()).toBe('ci_still_running');
    git.pipelines.set(sha!, 'success');
    expect(await status()).toBe('mergeable');
    await git.update(project, author, iid, { title: 'Draft: A' });
    expect(await status()).toBe('draft_status');
    await git.update(project, author, iid, { state_event: 'close' });
    const { items } = await git.world.inProject(listProjectMergeRequests, project, author, developer, {});
    expect(items).toMatchObject([{ detailed_merge_status: 'not_open' }]);
  });

  // Pipelines of the merge request, not of its branch.
  it('run and wait for their own pipelines', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author);
    let asked: unknown;
    git.world.service.respond(createPipelineOfMergeRequest, (input) => {
      asked = input;
      return commonErrors.conflict();
    });
    const one = { merge_request_iid: iid };
    await codeOf(git.world.inProject(createMergeRequestPipeline, project, author, developer, one));
    expect(asked).toMatchObject({
      merge_request: { iid, source_branch: 'feature', target_branch: 'main', target_project: { id: project.id } },
    });
    git.pipelines.set(sha!, 'running');
    await git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    const facts = { project_id: project.id, pipeline_id: 1, tag: false, sha: sha!, user_id: author.id };
    const ref = `refs/merge-requests/${iid}/head`;
    git.pipelines.set(sha!, 'success');
    await git.world.service.emit(pipelineChanged, { ...facts, ref, status: 'success' } as never);
    await eventually(async () => (await git.get(project, iid, author)).state === 'merged');
  });

  // Events arrive twice and in any order, with outdated states.
  it('use the state of the pipeline, not of the event', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author);
    git.pipelines.set(sha!, 'running');
    await git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    const facts = { project_id: project.id, pipeline_id: 1, ref: 'feature', tag: false, sha: sha!, user_id: author.id };
    const tell = (status: string) => git.world.service.emit(pipelineChanged, { ...facts, status } as never);
    // It succeeded, but one of its jobs was retried since.
    await tell('success');
    // The consumer handles events in order: this later one merges another request.
    const other = git.project();
    const { iid: otherIid, sha: otherSha } = await git.open(other, git.member(other));
    git.pipelines.set(otherSha!, 'running');
    const otherAuthor = git.member(other);
    await git.merge(other, otherAuthor, otherIid, { merge_when_pipeline_succeeds: true });
    git.pipelines.set(otherSha!, 'success');
    await git.world.service.emit(pipelineChanged, {
      ...facts,
      project_id: other.id,
      sha: otherSha!,
      status: 'success',
    } as never);
    await eventually(async () => (await git.get(other, otherIid, otherAuthor)).state === 'merged');
    expect(await git.get(project, iid, author)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    git.pipelines.set(sha!, 'success');
    await tell('running');
    await eventually(async () => (await git.get(project, iid, author)).state === 'merged');
  });

  it('are retried by the periodic job', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid, sha } = await git.open(project, author);
    git.pipelines.set(sha!, 'running');
    await git.merge(project, author, iid, { merge_when_pipeline_succeeds: true });
    git.pipelines.set(sha!, 'success');
    await git.world.service.running.app.get(ResumeMerges, { strict: false }).wake();
    await eventually(async () => (await git.get(project, iid, author)).state === 'merged');
  });

  it('name those of another tracker that they close, after those of the project', async () => {
    const project = git.project();
    const author = git.member(project);
    await git.world.inProject(createIssue, project, author, developer, { title: 'a' });
    const { iid } = await git.open(project, author, { description: 'Closes #1 and TRACK-7' });
    const asked = { merge_request_iid: iid };
    const { items, total } = await git.world.inProject(
      listIssuesClosedByMergeRequest,
      project,
      author,
      developer,
      asked,
    );
    expect([items.map(({ id, title }) => (typeof id === 'string' ? id : title)), total]).toEqual([['a', 'TRACK-7'], 2]);
  });

  it('close the issues that they name', async () => {
    const project = git.project();
    const author = git.member(project);
    const titles = ['a', 'b', 'c'];
    for (const title of titles) await git.world.inProject(createIssue, project, author, developer, { title });
    git.commit(project, 'feature', 'Work\n\nFixes #2');
    const { iid } = await git.open(project, author, { description: 'Closes #1' });
    const one = { merge_request_iid: iid };
    const named = await git.world.inProject(listIssuesClosedByMergeRequest, project, author, developer, one);
    expect(named.items.map(({ title }) => title)).toEqual(['a', 'b']);
    const inside = {
      ...project,
      visibility: 'public',
      features: { ...project.features, issues: 'private' },
    } as const;
    const hidden = await git.world.inProject(listIssuesClosedByMergeRequest, inside, author, Access.None, one);
    expect(hidden.items).toEqual([]);
    await git.merge(project, author, iid);
    const stateOf = async (issue_iid: number) =>
      (await git.world.inProject(getIssue, project, author, developer, { issue_iid })).state;
    await eventually(async () => (await stateOf(1)) === 'closed' && (await stateOf(2)) === 'closed');
    expect(await stateOf(3)).toBe('opened');
    const reopened = { issue_iid: 1, state_event: 'reopen' } as const;
    await git.world.inProject(updateIssue, project, author, developer, reopened);
    const event = git.world.service
      .events(mergeRequestChanged)
      .find(({ data }) => data.action === 'merge' && data.merge_request.iid === iid && data.user_id === author.id);
    await git.world.service.running.app.get(CloseIssues, { strict: false }).onMerged(event!);
    expect(await stateOf(1)).toBe('opened');
  });

  // Two replicas receive two edits at the same time.
  it('are listed on the issues that the latest description closes', async () => {
    const project = git.project();
    const author = git.member(project);
    for (const title of ['a', 'b']) await git.world.inProject(createIssue, project, author, developer, { title });
    const { iid, id } = await git.open(project, author, { description: 'Closes #1' });
    const counts = () =>
      Promise.all(
        [1, 2].map(async (issue_iid) => {
          const issue = await git.world.inProject(getIssue, project, author, developer, { issue_iid });
          return issue.merge_requests_count;
        }),
      );
    const areCounted = (one: number, two: number) =>
      eventually(async () => (await counts()).join() === `${one},${two}`);
    await areCounted(1, 0);
    const { app } = git.world.service.running;
    const requests = app.get(MergeRequests, { strict: false });
    const old = await requests.find(id);
    await git.update(project, author, iid, { description: 'Closes #2' });
    await areCounted(0, 1);
    const event = git.world.service.events(mergeRequestChanged).find(({ data }) => data.merge_request.id === id);
    // Read before the change, processed after it.
    const stale = jest.spyOn(requests, 'find').mockResolvedValueOnce({ ...old!, closesIssueIids: [] });
    await app.get(NameClosing, { strict: false }).onChanged(event!);
    stale.mockRestore();
    expect(await counts()).toEqual([0, 1]);
  });

  it('are ended by the periodic job when a stop came in between', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    await refusing(commonErrors.timeout(), async () => {
      expect(await codeOf(git.merge(project, author, iid))).toBe('common.timeout');
    });
    expect(await git.get(project, iid, author)).toMatchObject({ state: 'locked' });
    const later = Date.now() + 10 * 60_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    await git.world.service.running.app
      .get(ResumeMerges, { strict: false })
      .recover()
      .finally(() => clock.mockRestore());
    expect((await git.get(project, iid, author)).state).toBe('merged');
    expect(git.tip(project, 'main')).toBe((await git.get(project, iid, author)).merge_commit_sha);
    expect(await git.notesOf(project, author, iid)).toEqual(['merged']);
  }, 120_000);

  /** Lets git refuse every merge during a step. */
  async function refusing(
    error: ReturnType<typeof mergeErrors.notMergeable>,
    work: () => Promise<void>,
  ): Promise<void> {
    git.world.service.respond(mergeBranches, () => error);
    await work().finally(() => git.mergeAgain());
  }

  it('are rebased, or show why not', async () => {
    const project = git.project();
    const author = git.member(project);
    git.commit(project, 'main', 'other');
    const { iid } = await git.open(project, author);
    const rebase = () =>
      git.world.inProject(rebaseMergeRequest, project, author, developer, { merge_request_iid: iid });
    git.conflicting.add('feature');
    expect(await rebase().finally(() => git.conflicting.delete('feature'))).toEqual({ rebase_in_progress: true });
    expect((await git.get(project, iid, author)).merge_error).toMatch(/^Rebase failed/);
    await rebase();
    expect(await git.get(project, iid, author)).toMatchObject({
      merge_error: null,
      sha: git.tip(project, 'feature'),
    });
    const stranger = git.world.user();
    const asked = git.world.inProject(rebaseMergeRequest, project, stranger, developer, { merge_request_iid: iid });
    expect(await codeOf(asked)).toBe('common.forbidden');
  });
});
