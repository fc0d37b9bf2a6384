import {
  Access,
  type AccessLevel,
  addMergeRequestTimeSpent,
  type Caller,
  cancelAutoMerge,
  commonErrors,
  createIssue,
  createMergeRequestAward,
  createMergeRequestNote,
  createMergeRequestNoteAward,
  createProjectMilestone,
  deleteMergeRequest,
  getIssue,
  getMergeRequestChanges,
  getMergeRequestVersion,
  type InputOf,
  listGroupMergeRequests,
  listIssuesClosedByMergeRequest,
  listMergeRequestCommits,
  listMergeRequestLabelEvents,
  listMergeRequestNoteAwards,
  listMergeRequestNotes,
  listMergeRequestParticipants,
  listMergeRequests,
  listMergeRequestsClosingIssue,
  listMergeRequestVersions,
  listProjectMergeRequests,
  listProjectMilestoneMergeRequests,
  mergeBranches,
  mergeErrors,
  mergeMergeRequest,
  mergeRequestChanged,
  type ProjectRef,
  pipelineChanged,
  projectDeleted,
  rebaseMergeRequest,
  subscribeToMergeRequest,
  unsubscribeFromMergeRequest,
  updateMergeRequest,
  userDeleted,
} from '@moothall/contracts';
import { startService } from '@moothall/service';
import { eventually } from '@moothall/testing';
import { service } from '../src';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

describe('merge requests', () => {
  let git: MergeRequestWorld;
  beforeAll(async () => {
    git = await MergeRequestWorld.start();
  }, 60_000);
  afterAll(() => git?.stop());

  const notesOf = async (project: ProjectRef, user: Caller, iid: number) => {
    const asked = { merge_request_iid: iid, sort: 'asc' as const };
    const { items } = await git.world.inProject(listMergeRequestNotes, project, user, developer, asked);
    return items.map(({ body }) => body);
  };
  const update = (
    project: ProjectRef,
    user: Caller,
    iid: number,
    change: Partial<InputOf<typeof updateMergeRequest>>,
    level: AccessLevel = developer,
  ) => git.world.inProject(updateMergeRequest, project, user, level, { merge_request_iid: iid, ...change });
  const merge = (
    project: ProjectRef,
    user: Caller,
    iid: number,
    how: Partial<InputOf<typeof mergeMergeRequest>> = {},
  ) => git.world.inProject(mergeMergeRequest, project, user, developer, { merge_request_iid: iid, ...how });
  const member = (project: ProjectRef, level: AccessLevel = developer): Caller => {
    const user = git.world.user();
    git.join(user, project, level);
    return user;
  };

  describe('when they are opened', () => {
    it('show their branches, and what git says of them', async () => {
      const project = git.project();
      const author = member(project);
      const made = await git.open(project, author, { labels: ['bug'], assignee_id: author.id, squash: true });
      expect(made).toMatchObject({
        iid: 1,
        project_id: project.id,
        state: 'opened',
        title: 'A feature',
        source_branch: 'feature',
        target_branch: 'main',
        source_project_id: project.id,
        target_project_id: project.id,
        labels: ['bug'],
        author: { id: author.id },
        squash: true,
        merge_status: 'can_be_merged',
        has_conflicts: false,
        sha: git.tip(project, 'feature'),
        diff_refs: {
          base_sha: git.tip(project, 'main'),
          start_sha: git.tip(project, 'main'),
          head_sha: git.tip(project, 'feature'),
        },
        web_url: `http://moothall.test/${project.fullPath}/-/merge_requests/1`,
        references: { short: '!1', full: `${project.fullPath}!1` },
        user: { can_merge: true },
      });
      const events = await git.world.inProject(listMergeRequestLabelEvents, project, author, developer, {
        merge_request_iid: 1,
      });
      expect(events.items).toMatchObject([{ action: 'add', label: { name: 'bug' }, resource_type: 'MergeRequest' }]);
      const [event] = git.world.service
        .events(mergeRequestChanged)
        .filter(({ data }) => data.merge_request.id === made.id);
      expect(event?.data).toMatchObject({ action: 'open', user_id: author.id });
    });

    it('are refused a second time for the same branches, also when both come at once', async () => {
      const project = git.project();
      const author = member(project);
      const answers = await Promise.all([1, 2, 3].map(() => codeOf(git.open(project, author))));
      expect(answers.sort()).toEqual(['merge_request.exists', 'merge_request.exists', 'ok']);
      await expect(git.open(project, author)).rejects.toMatchObject({
        value: {
          message: [expect.stringMatching(/^Another open merge request already exists for this source branch: !\d$/)],
        },
      });
    });

    it('are refused for branches that do not exist, and for one branch', async () => {
      const project = git.project();
      const author = member(project);
      await expect(git.open(project, author, { source_branch: 'none' })).rejects.toMatchObject({
        value: { code: 'common.invalid_record', message: { source_branch: ['does not exist'] } },
      });
      await expect(git.open(project, author, { target_branch: 'none' })).rejects.toMatchObject({
        value: { message: { target_branch: ['does not exist'] } },
      });
      expect(await codeOf(git.open(project, author, { source_branch: 'main' }))).toBe('merge_request.same_branch');
    });

    it('come from a fork, for readers of its parent', async () => {
      const target = git.project({ visibility: 'public' });
      const fork = git.project();
      const author = member(fork);
      const across = { target_project_id: target.id };
      expect(await codeOf(git.open(fork, author, across))).toBe('merge_request.not_fork');
      git.forks.set(fork.id, target.id);
      const made = await git.open(fork, author, { ...across, labels: ['not by outsiders'] });
      expect(made).toMatchObject({ project_id: target.id, source_project_id: fork.id, iid: 1, labels: [] });
      expect(made.user).toEqual({ can_merge: false });
      const hidden = git.project();
      git.forks.set(fork.id, hidden.id);
      expect(await codeOf(git.open(fork, author, { target_project_id: hidden.id }))).toBe('common.not_found');
    });
  });

  describe('when they are changed', () => {
    it('tell of it in system notes', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      git.branch(project, 'stable', 'main');
      await update(project, author, iid, { title: 'Draft: New', target_branch: 'stable', add_labels: ['bug'] });
      const closed = await update(project, author, iid, { state_event: 'close' });
      expect(closed).toMatchObject({ state: 'closed', draft: true, labels: ['bug'], closed_by: { id: author.id } });
      expect(await update(project, author, iid, { state_event: 'reopen' })).toMatchObject({
        state: 'opened',
        closed_at: null,
      });
      const notes = await notesOf(project, author, iid);
      expect(notes).toEqual(expect.arrayContaining(['marked this merge request as **draft**', 'closed', 'reopened']));
      expect(notes).toContain('changed target branch from `main` to `stable`');
      expect(notes).toContain('changed title from **{-A feature-}** to **{+Draft: New+}**');
      expect(notes).toHaveLength(5);
    });

    it('write nothing when nothing changes', async () => {
      const project = git.project();
      const author = member(project);
      const made = await git.open(project, author);
      const same = await update(project, author, made.iid, { title: made.title, squash: false, labels: [] });
      expect(same.updated_at).toBe(made.updated_at);
    });

    it('are for the author and for developers', async () => {
      const project = git.project();
      const { iid } = await git.open(project, member(project));
      const other = git.world.user();
      expect(await codeOf(update(project, other, iid, { title: 'x' }, Access.Reporter))).toBe('common.forbidden');
      const archived = { ...project, isArchived: true };
      expect(await codeOf(update(archived, other, iid, { title: 'x' }))).toBe('project.archived');
    });

    it('are not reopened beside another of the same branches', async () => {
      const project = git.project();
      const author = member(project);
      const first = await git.open(project, author);
      await update(project, author, first.iid, { state_event: 'close' });
      const second = await git.open(project, author);
      await expect(update(project, author, first.iid, { state_event: 'reopen' })).rejects.toMatchObject({
        value: { code: 'merge_request.exists', message: [expect.stringContaining(`!${second.iid}`)] },
      });
    });

    it('lose no change when many change them at once', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      const labels = Array.from({ length: 6 }, (_, at) => `label${at}`);
      await Promise.all(labels.map((label) => update(project, author, iid, { add_labels: [label] })));
      expect((await git.get(project, iid, author)).labels).toEqual(labels);
    });

    it('follow commands in notes', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      const say = (body: string) =>
        git.world.inProject(createMergeRequestNote, project, author, developer, { merge_request_iid: iid, body });
      await say('/draft\n/close');
      expect(await git.get(project, iid, author)).toMatchObject({
        title: 'Draft: A feature',
        draft: true,
        state: 'closed',
      });
      await say('Again.\n/reopen\n/ready');
      expect(await git.get(project, iid, author)).toMatchObject({ title: 'A feature', draft: false, state: 'opened' });
      expect(await codeOf(git.open(project, author))).toBe('merge_request.exists');
    });
  });

  describe('when their branches move', () => {
    it('tell of new commits, once, and keep a version of each state', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      const before = git.tip(project, 'feature');
      git.commit(project, 'feature', 'third');
      const head = git.commit(project, 'feature', 'fourth');
      await git.push(project, author, 'feature', before);
      await eventually(async () => (await notesOf(project, author, iid)).length > 0);
      await git.push(project, author, 'feature', before);
      expect(await git.get(project, iid, author)).toMatchObject({ sha: head, changes_count: '3' });
      git.commit(project, 'feature', 'fifth');
      await git.push(project, author, 'feature', head);
      await eventually(async () => (await notesOf(project, author, iid)).length > 1);
      const notes = await notesOf(project, author, iid);
      expect(notes[0]).toMatch(/^added 2 commits\n\n\* [0-9a-f]{8} - fourth\n\* [0-9a-f]{8} - third$/);
      expect(notes[1]).toMatch(/^added 1 commit\n/);
      const one = { merge_request_iid: iid };
      const versions = await git.world.inProject(listMergeRequestVersions, project, author, developer, one);
      expect(versions.items.map(({ head_commit_sha }) => head_commit_sha)).toEqual([
        git.tip(project, 'feature'),
        head,
        before,
      ]);
      const asked = { ...one, version_id: versions.items[1]!.id };
      const version = await git.world.inProject(getMergeRequestVersion, project, author, developer, asked);
      expect(version.commits.map(({ title }) => title)).toEqual(['fourth', 'third', 'second']);
      expect(version.diffs).toHaveLength(3);
    });

    it('follow a forced push, also when what it replaced is cleared away', async () => {
      const project = git.project();
      const author = member(project);
      const { iid, sha } = await git.open(project, author);
      git.branch(project, 'feature', 'main');
      const head = git.commit(project, 'feature', 'instead');
      await git.push(project, author, 'feature', sha);
      const listed = async () =>
        (await git.world.inProject(listProjectMergeRequests, project, author, developer, {})).items[0];
      await eventually(async () => ((await listed()) as { sha: string }).sha === head);
      const one = { merge_request_iid: iid };
      const { items } = await git.world.inProject(listMergeRequestCommits, project, author, developer, one);
      expect(items.map(({ title }) => title)).toEqual(['instead']);
    });

    it('show the tip and the conflicts of now, without waiting for an event', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author, {});
      git.commit(project, 'main', 'other');
      git.conflicting.add('feature');
      const shown = await git.get(project, iid, author).finally(() => git.conflicting.delete('feature'));
      expect(shown).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
      expect(shown.diff_refs).toMatchObject({ start_sha: git.tip(project, 'main') });
      const { items } = await git.world.inProject(listProjectMergeRequests, project, author, developer, {});
      expect(items[0]).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
    });

    it('are merged by the push that brings their commits to the target', async () => {
      const project = git.project();
      const [author, pusher] = [member(project), member(project)];
      const { iid } = await git.open(project, author);
      const before = git.tip(project, 'main');
      git.branch(project, 'main', 'feature');
      await git.push(project, pusher, 'main', before);
      const merged = await eventually(async () => {
        const found = await git.get(project, iid, author);
        return found.state === 'merged' && found;
      });
      expect(merged).toMatchObject({
        merged_by: { id: pusher.id },
        merge_commit_sha: git.tip(project, 'main'),
        closed_at: null,
      });
      expect(await notesOf(project, author, iid)).toEqual(['merged']);
    });

    it('keep their commits when the source branch goes, and cannot be merged', async () => {
      const project = git.project();
      const author = member(project);
      const made = await git.open(project, author);
      git.remove(project, 'feature');
      await git.push(project, author, 'feature', made.sha);
      const shown = await git.get(project, made.iid, author);
      expect(shown).toMatchObject({
        state: 'opened',
        sha: made.sha,
        merge_status: 'cannot_be_merged',
        has_conflicts: false,
      });
      expect(await codeOf(merge(project, author, made.iid))).toBe('merge_request.not_mergeable');
    });
  });

  describe('when they are merged', () => {
    it('end up in the target, with who did it and a note', async () => {
      const project = git.project();
      const [author, merger] = [member(project), member(project)];
      const made = await git.open(project, author);
      const merged = await merge(project, merger, made.iid, { sha: made.sha, should_remove_source_branch: true });
      expect(merged).toMatchObject({
        state: 'merged',
        merge_commit_sha: git.tip(project, 'main'),
        merged_by: { id: merger.id },
        closed_by: null,
      });
      expect(merged.merged_at).not.toBeNull();
      expect(git.tip(project, 'feature')).toBeNull();
      expect(await notesOf(project, author, made.iid)).toEqual(['merged']);
      const actions = git.world.service
        .events(mergeRequestChanged)
        .filter(({ data }) => data.merge_request.id === made.id);
      expect(actions.map(({ data }) => data.action)).toEqual(['open', 'merge']);
      expect(await codeOf(merge(project, merger, made.iid))).toBe('merge_request.not_mergeable');
      expect(await update(project, author, made.iid, { state_event: 'reopen' })).toMatchObject({ state: 'merged' });
    });

    it('say in the merge commit what was merged', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author, { description: 'Closes #7' });
      await merge(project, author, iid);
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

    it('are merged once when many ask at once', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      const answers = await Promise.all([1, 2, 3, 4].map(() => codeOf(merge(project, author, iid))));
      expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1);
      expect(await notesOf(project, author, iid)).toEqual(['merged']);
    });

    it('are refused: a draft, conflicts, another tip, a protected target', async () => {
      const project = git.project();
      const author = member(project);
      const { iid, sha } = await git.open(project, author, { title: 'Draft: A' });
      expect(await codeOf(merge(project, author, iid))).toBe('merge_request.not_mergeable');
      await update(project, author, iid, { title: 'A' });
      await expect(merge(project, author, iid, { sha: '1'.repeat(40) })).rejects.toMatchObject({
        value: { code: 'merge.source_moved', message: `SHA does not match HEAD of source branch: ${sha}` },
      });
      git.closed.add('main');
      expect(await codeOf(merge(project, author, iid)).finally(() => git.closed.delete('main'))).toBe(
        'merge.not_allowed',
      );
      git.conflicting.add('feature');
      const answer = await codeOf(merge(project, author, iid)).finally(() => git.conflicting.delete('feature'));
      expect(answer).toBe('merge.not_mergeable');
      expect(await git.get(project, iid, author)).toMatchObject({ state: 'opened' });
    });

    it('are open again, with the reason, when git refuses in the end', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      await refusing(mergeErrors.notFastForward(), async () => {
        expect(await codeOf(merge(project, author, iid))).toBe('merge.not_fast_forward');
      });
      expect(await git.get(project, iid, author)).toMatchObject({
        state: 'opened',
        merge_error: expect.stringMatching(/fast/),
      });
      expect(await merge(project, author, iid)).toMatchObject({ state: 'merged', merge_error: null });
    });

    it('need a pipeline that succeeded where the project says so', async () => {
      const project = git.project();
      const author = member(project);
      git.settings.set(project.id, { only_allow_merge_if_pipeline_succeeds: true });
      const { iid, sha } = await git.open(project, author);
      expect(await codeOf(merge(project, author, iid))).toBe('merge_request.not_mergeable');
      git.pipelines.set(sha!, 'success');
      expect(await codeOf(merge(project, author, iid))).toBe('ok');
    });

    it('wait for the pipeline when asked to, unless that is taken back', async () => {
      const project = git.project();
      const author = member(project);
      const { iid, sha } = await git.open(project, author);
      git.pipelines.set(sha!, 'running');
      const wait = () => merge(project, author, iid, { merge_when_pipeline_succeeds: true });
      expect(await wait()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
      const one = { merge_request_iid: iid };
      const stopped = await git.world.inProject(cancelAutoMerge, project, author, developer, one);
      expect(stopped.merge_when_pipeline_succeeds).toBe(false);
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
      await git.world.service.emit(pipelineChanged, { ...facts, status: 'success' } as never);
      await eventually(async () => (await git.get(project, iid, author)).state === 'merged');
      expect(await notesOf(project, author, iid)).toEqual([
        `enabled an automatic merge when the pipeline for ${sha!.slice(0, 8)} succeeds`,
        'canceled the automatic merge',
        `enabled an automatic merge when the pipeline for ${sha!.slice(0, 8)} succeeds`,
        'merged',
      ]);
    });

    it('close the issues that they name', async () => {
      const project = git.project();
      const author = member(project);
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
      await merge(project, author, iid);
      const stateOf = async (issue_iid: number) =>
        (await git.world.inProject(getIssue, project, author, developer, { issue_iid })).state;
      await eventually(async () => (await stateOf(1)) === 'closed' && (await stateOf(2)) === 'closed');
      expect(await stateOf(3)).toBe('opened');
    });

    it('are ended by the next start of the service when a stop came in between', async () => {
      const project = git.project();
      const author = member(project);
      const { iid } = await git.open(project, author);
      await refusing(commonErrors.timeout(), async () => {
        expect(await codeOf(merge(project, author, iid))).toBe('common.timeout');
      });
      expect(await git.get(project, iid, author)).toMatchObject({ state: 'locked' });
      const later = Date.now() + 10 * 60_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
      const second = await startService(service, git.world.service.env);
      await eventually(async () => (await git.get(project, iid, author)).state === 'merged').finally(() =>
        clock.mockRestore(),
      );
      await second.stop();
      expect(git.tip(project, 'main')).toBe((await git.get(project, iid, author)).merge_commit_sha);
      expect(await notesOf(project, author, iid)).toEqual(['merged']);
    });

    /** Lets git refuse every merge while something is tried. */
    async function refusing(
      error: ReturnType<typeof mergeErrors.notMergeable>,
      work: () => Promise<void>,
    ): Promise<void> {
      git.world.service.respond(mergeBranches, () => error);
      await work().finally(() => git.mergeAgain());
    }

    it('are rebased, or say why not', async () => {
      const project = git.project();
      const author = member(project);
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

  describe('in lists', () => {
    it('are narrowed by branch, state, draft, label, people and words', async () => {
      const project = git.project();
      const [author, other] = [member(project), member(project)];
      for (const name of ['b', 'c']) {
        git.branch(project, name, 'feature');
        git.commit(project, name, name);
      }
      const first = await git.open(project, author, { labels: ['bug'], assignee_id: other.id });
      const second = await git.open(project, other, {
        source_branch: 'b',
        title: 'Draft: second',
        reviewer_ids: [author.id],
      });
      const third = await git.open(project, author, { source_branch: 'c', target_branch: 'b', title: 'third' });
      await update(project, author, third.iid, { state_event: 'close' });
      const list = async (query: Partial<InputOf<typeof listProjectMergeRequests>>) => {
        const { items } = await git.world.inProject(listProjectMergeRequests, project, author, developer, query);
        return items.map(({ id }) => id);
      };
      expect(await list({})).toEqual([third.id, second.id, first.id]);
      expect(await list({ sort: 'asc' })).toEqual([first.id, second.id, third.id]);
      expect(await list({ state: 'opened' })).toEqual([second.id, first.id]);
      expect(await list({ source_branch: 'b' })).toEqual([second.id]);
      expect(await list({ target_branch: 'main' })).toEqual([second.id, first.id]);
      expect(await list({ wip: 'yes' })).toEqual([second.id]);
      expect(await list({ wip: 'no', state: 'opened' })).toEqual([first.id]);
      expect(await list({ labels: ['bug'] })).toEqual([first.id]);
      expect(await list({ assignee_id: String(other.id) })).toEqual([first.id]);
      expect(await list({ reviewer_id: String(author.id) })).toEqual([second.id]);
      expect(await list({ reviewer_username: author.username })).toEqual([second.id]);
      expect(await list({ reviewer_id: 'None', scope: 'created_by_me' })).toEqual([third.id, first.id]);
      expect(await list({ search: 'thir' })).toEqual([third.id]);
      expect(await list({ iids: [first.iid, third.iid] })).toEqual([third.id, first.id]);
      expect(await list({ not: { labels: ['bug'] }, author_id: author.id })).toEqual([third.id]);
      const simple = await git.world.inProject(listProjectMergeRequests, project, author, developer, {
        view: 'simple',
      });
      expect(Object.keys(simple.items[0]!)).toEqual([
        ...['id', 'iid', 'project_id', 'title', 'description', 'state', 'created_at', 'updated_at', 'web_url'],
      ]);
    });

    it('of a group or of everything hold what the caller reads, without code of private projects for guests', async () => {
      const group = git.world.group();
      const [open, secret, guarded] = [
        git.project({ groupIds: [group.id], visibility: 'public' }),
        git.project({ groupIds: [group.id] }),
        git.project({ groupIds: [group.id] }),
      ];
      const author = git.world.user();
      const made = [];
      for (const project of [open, secret, guarded]) made.push((await git.open(project, author)).id);
      const reader = git.world.user();
      git.world.join(reader, secret, Access.Reporter);
      git.world.join(reader, guarded, Access.Guest);
      const inGroup = await git.world.inGroup(listGroupMergeRequests, group, reader, Access.Guest, {});
      expect(inGroup.items.map(({ id }) => id)).toEqual([made[1], made[0]]);
      const context = { requestId: 'test', caller: reader };
      const all = await git.world.call(listMergeRequests, { scope: 'all', author_id: author.id }, context);
      expect(all.items.map(({ id }) => id)).toEqual([made[1], made[0]]);
      expect((await git.world.call(listMergeRequests, {}, context)).items).toEqual([]);
      expect(await codeOf(git.world.call(listMergeRequests, {}, { requestId: 'test' }))).toBe('common.unauthorized');
    });
  });

  it('show their changes, participants, time and subscription', async () => {
    const project = git.project();
    const [author, other] = [member(project), member(project)];
    const { iid } = await git.open(project, author);
    const one = { merge_request_iid: iid };
    const changes = await git.world.inProject(getMergeRequestChanges, project, author, developer, one);
    expect(changes).toMatchObject({ changes_count: '1', overflow: false, changes: [{ new_path: 'second' }] });
    await git.world.inProject(createMergeRequestNote, project, other, developer, { ...one, body: 'Nice' });
    const people = await git.world.inProject(listMergeRequestParticipants, project, author, developer, one);
    expect(people.items.map(({ id }) => id)).toEqual([author.id, other.id]);
    const time = await git.world.inProject(addMergeRequestTimeSpent, project, author, developer, {
      ...one,
      duration: '1h 30m',
    });
    expect(time).toMatchObject({ total_time_spent: 5400, human_total_time_spent: '1h 30m' });
    expect((await git.get(project, iid, author)).subscribed).toBe(true);
    await git.world.inProject(unsubscribeFromMergeRequest, project, author, developer, one);
    expect((await git.get(project, iid, author)).subscribed).toBe(false);
    await git.world.inProject(subscribeToMergeRequest, project, author, developer, one);
    expect((await git.get(project, iid, author)).subscribed).toBe(true);
  });

  it('go with their notes, and with their project', async () => {
    const project = git.project();
    const author = member(project);
    const { iid } = await git.open(project, author);
    await git.world.inProject(deleteMergeRequest, project, author, Access.Owner, { merge_request_iid: iid });
    expect(await codeOf(git.get(project, iid, author))).toBe('merge_request.not_found');
    const again = await git.open(project, author);
    expect(again.iid).toBe(iid + 1);
    const event = { project_id: project.id, full_path: project.fullPath, storage: project.storage };
    await git.world.service.emit(projectDeleted, event);
    await eventually(async () => (await codeOf(git.get(project, again.iid, author))) === 'merge_request.not_found');
  });

  it('stay without a source when their fork is deleted', async () => {
    const [target, fork] = [git.project({ visibility: 'public' }), git.project()];
    git.forks.set(fork.id, target.id);
    const author = member(fork);
    const { iid } = await git.open(fork, author, { target_project_id: target.id });
    await git.world.service.emit(projectDeleted, {
      project_id: fork.id,
      full_path: fork.fullPath,
      storage: fork.storage,
    });
    await eventually(async () => (await git.get(target, iid, author)).source_project_id === null);
    expect(await codeOf(merge(target, author, iid))).toBe('merge_request.not_mergeable');
    expect(git.tip(target, 'feature')).not.toBeNull();
  });

  it('take awards, as do their notes', async () => {
    const project = git.project();
    const [author, other] = [member(project), member(project)];
    const one = { merge_request_iid: (await git.open(project, author)).iid };
    const award = await git.world.inProject(createMergeRequestAward, project, other, developer, {
      ...one,
      name: 'thumbsup',
    });
    expect(award).toMatchObject({ name: 'thumbsup', awardable_type: 'MergeRequest', user: { id: other.id } });
    expect(await git.get(project, 1, author)).toMatchObject({ upvotes: 1, downvotes: 0 });
    const liked = { my_reaction_emoji: 'thumbsup' };
    const list = (user: Caller) => git.world.inProject(listProjectMergeRequests, project, user, developer, liked);
    expect((await list(other)).total).toBe(1);
    expect((await list(author)).total).toBe(0);
    const said = { ...one, body: 'Nice' };
    const note = (await git.world.inProject(createMergeRequestNote, project, author, developer, said)) as {
      id: number;
    };
    const onNote = { ...one, note_id: note.id };
    await git.world.inProject(createMergeRequestNoteAward, project, other, developer, { ...onNote, name: 'tada' });
    const { items } = await git.world.inProject(listMergeRequestNoteAwards, project, author, developer, onNote);
    expect(items).toMatchObject([{ name: 'tada', awardable_type: 'Note', awardable_id: note.id }]);
  });

  it('are listed by milestone', async () => {
    const project = git.project();
    const author = member(project);
    const milestone = await git.world.inProject(createProjectMilestone, project, author, developer, { title: '1.0' });
    const { id } = await git.open(project, author, { milestone_id: milestone.id });
    const asked = { milestone_id: milestone.id };
    const listed = await git.world.inProject(listProjectMilestoneMergeRequests, project, author, developer, asked);
    expect(listed.items).toMatchObject([{ id, milestone: { title: '1.0' } }]);
  });

  it('are counted on the issues that they say they close', async () => {
    const project = git.project();
    const author = member(project);
    for (const title of ['a', 'b']) await git.world.inProject(createIssue, project, author, developer, { title });
    const { iid } = await git.open(project, author, { description: 'Closes #1' });
    const counts = () =>
      Promise.all(
        [1, 2].map(async (issue_iid) => {
          const issue = await git.world.inProject(getIssue, project, author, developer, { issue_iid });
          return issue.merge_requests_count;
        }),
      );
    await eventually(async () => (await counts()).join() === '1,0');
    const closers = (caller: Caller | undefined, level: AccessLevel) =>
      git.world.inProject(listMergeRequestsClosingIssue, project, caller, level, { issue_iid: 1 });
    expect((await closers(author, developer)).items).toMatchObject([{ iid }]);
    expect((await closers(git.world.user(), Access.Guest)).items).toEqual([]);
    await update(project, author, iid, { description: 'Closes #2' });
    await eventually(async () => (await counts()).join() === '0,1');
    await git.world.inProject(deleteMergeRequest, project, author, Access.Owner, { merge_request_iid: iid });
    await eventually(async () => (await counts()).join() === '0,0');
  });

  it('pass to the ghost user when their people go', async () => {
    const project = git.project();
    const [author, reviewer, ghost] = [member(project), member(project), git.world.user()];
    const first = await git.open(project, author, { reviewer_ids: [reviewer.id] });
    await merge(project, reviewer, first.iid);
    for (const user of [author, reviewer]) {
      const gone = { user_id: user.id, username: user.username, hard_delete: false, ghost_user_id: ghost.id };
      await git.world.service.emit(userDeleted, gone);
    }
    const passed = async () => {
      const { author: by, merged_by, reviewers } = await git.get(project, first.iid, ghost);
      return by.id === ghost.id && merged_by?.id === ghost.id && reviewers.length === 0;
    };
    await eventually(passed);
  });
});
