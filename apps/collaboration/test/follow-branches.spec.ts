import {
  Access,
  getMergeRequestVersion,
  listMergeRequestCommits,
  listMergeRequestVersions,
  listProjectMergeRequests,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests, when their branches move', () => {
  it('have a note about new commits, once, and a version of each state', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    const before = git.tip(project, 'feature');
    git.commit(project, 'feature', 'third');
    const head = git.commit(project, 'feature', 'fourth');
    await git.push(project, author, 'feature', before);
    await eventually(async () => (await git.notesOf(project, author, iid)).length > 0);
    await git.push(project, author, 'feature', before);
    expect(await git.get(project, iid, author)).toMatchObject({ sha: head, changes_count: '3' });
    git.commit(project, 'feature', 'fifth');
    await git.push(project, author, 'feature', head);
    await eventually(async () => (await git.notesOf(project, author, iid)).length > 1);
    const notes = await git.notesOf(project, author, iid);
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

  it('follow a forced push, also after the old commits were pruned', async () => {
    const project = git.project();
    const author = git.member(project);
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
    const author = git.member(project);
    const { iid } = await git.open(project, author, {});
    git.commit(project, 'main', 'other');
    git.conflicting.add('feature');
    const shown = await git.get(project, iid, author).finally(() => git.conflicting.delete('feature'));
    expect(shown).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
    expect(shown.diff_refs).toMatchObject({ start_sha: git.tip(project, 'main') });
    const { items } = await git.world.inProject(listProjectMergeRequests, project, author, developer, {});
    expect(items[0]).toMatchObject({ merge_status: 'cannot_be_merged', has_conflicts: true });
  });

  it('are merged by a push of their commits to the target', async () => {
    const project = git.project();
    const [author, pusher] = [git.member(project), git.member(project)];
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
    expect(await git.notesOf(project, author, iid)).toEqual(['merged']);
  });

  it('keep their commits if the source branch is deleted, and cannot be merged', async () => {
    const project = git.project();
    const author = git.member(project);
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
    expect(await codeOf(git.merge(project, author, made.iid))).toBe('merge_request.not_mergeable');
  });
});
