import { Access, createMergeRequestNote } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests, when they are changed', () => {
  it('have system notes about it', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    git.branch(project, 'stable', 'main');
    await git.update(project, author, iid, { title: 'Draft: New', target_branch: 'stable', add_labels: ['bug'] });
    const closed = await git.update(project, author, iid, { state_event: 'close' });
    expect(closed).toMatchObject({ state: 'closed', draft: true, labels: ['bug'], closed_by: { id: author.id } });
    expect(await git.update(project, author, iid, { state_event: 'reopen' })).toMatchObject({
      state: 'opened',
      closed_at: null,
    });
    // If a change failed but was stored, the periodic job publishes it.
    await eventually(async () => (await git.notesOf(project, author, iid)).length >= 5, 'the notes');
    const notes = await git.notesOf(project, author, iid);
    expect(notes).toEqual(expect.arrayContaining(['marked this merge request as **draft**', 'closed', 'reopened']));
    expect(notes).toContain('changed target branch from `main` to `stable`');
    expect(notes).toContain('changed title from **{-A feature-}** to **{+Draft: New+}**');
    expect(notes).toHaveLength(5);
  });

  it('write nothing when nothing changes', async () => {
    const project = git.project();
    const author = git.member(project);
    const made = await git.open(project, author);
    const same = await git.update(project, author, made.iid, { title: made.title, squash: false, labels: [] });
    expect(same.updated_at).toBe(made.updated_at);
  });

  it('are for the author and for developers', async () => {
    const project = git.project();
    const { iid } = await git.open(project, git.member(project));
    const other = git.world.user();
    expect(await codeOf(git.update(project, other, iid, { title: 'x' }, Access.Reporter))).toBe('common.forbidden');
    const archived = { ...project, isArchived: true };
    expect(await codeOf(git.update(archived, other, iid, { title: 'x' }))).toBe('project.archived');
  });

  it('are not reopened beside another of the same branches', async () => {
    const project = git.project();
    const author = git.member(project);
    const first = await git.open(project, author);
    await git.update(project, author, first.iid, { state_event: 'close' });
    const second = await git.open(project, author);
    await expect(git.update(project, author, first.iid, { state_event: 'reopen' })).rejects.toMatchObject({
      value: { code: 'merge_request.exists', message: [expect.stringContaining(`!${second.iid}`)] },
    });
  });

  it('lose no change under concurrent requests', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    const labels = Array.from({ length: 6 }, (_, at) => `label${at}`);
    await Promise.all(labels.map((label) => git.update(project, author, iid, { add_labels: [label] })));
    expect((await git.get(project, iid, author)).labels).toEqual(labels);
  });

  it('follow commands in notes', async () => {
    const project = git.project();
    const author = git.member(project);
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
