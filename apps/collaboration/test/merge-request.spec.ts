import {
  Access,
  type AccessLevel,
  addMergeRequestTimeSpent,
  type Caller,
  createIssue,
  createMergeRequestAward,
  createMergeRequestNote,
  createMergeRequestNoteAward,
  createProjectMilestone,
  deleteMergeRequest,
  getIssue,
  getMergeRequestChanges,
  listMergeRequestNoteAwards,
  listMergeRequestParticipants,
  listMergeRequestsClosingIssue,
  listProjectMergeRequests,
  listProjectMilestoneMergeRequests,
  projectDeleted,
  subscribeToMergeRequest,
  unsubscribeFromMergeRequest,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { type IssueDocument, mostClosing } from '../src/issue/issue.schema';
import type { MergeRequestDocument } from '../src/merge-request/record/merge-request.schema';
import { codeOf, MergeRequestWorld } from './merge-request-world';

const developer = Access.Developer;

const git = shareBetweenTests(() => MergeRequestWorld.start());

describe('merge requests', () => {
  it('show their changes, participants, time and subscription', async () => {
    const project = git.project();
    const [author, other] = [git.member(project), git.member(project)];
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

  it('are deleted with their notes, and with their project', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await git.open(project, author);
    await git.world.inProject(deleteMergeRequest, project, author, Access.Owner, { merge_request_iid: iid });
    expect(await codeOf(git.get(project, iid, author))).toBe('merge_request.not_found');
    const again = await git.open(project, author);
    expect(again.iid).toBe(iid + 1);
    const event = { project_id: project.id, full_path: project.fullPath, storage: project.storage };
    await git.world.service.emit(projectDeleted, event);
    await eventually(async () => (await codeOf(git.get(project, again.iid, author))) === 'merge_request.not_found');
  });

  it('have no source if their fork is deleted', async () => {
    const [target, fork] = [git.project({ visibility: 'public' }), git.project()];
    git.forks.set(fork.id, target.id);
    const author = git.member(fork);
    const { iid } = await git.open(fork, author, { target_project_id: target.id });
    await git.world.service.emit(projectDeleted, {
      project_id: fork.id,
      full_path: fork.fullPath,
      storage: fork.storage,
    });
    await eventually(async () => (await git.get(target, iid, author)).source_project_id === null);
    expect(await codeOf(git.merge(target, author, iid))).toBe('merge_request.not_mergeable');
    expect(git.tip(target, 'feature')).not.toBeNull();
  });

  it('have awards, and so have their notes', async () => {
    const project = git.project();
    const [author, other] = [git.member(project), git.member(project)];
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
    const author = git.member(project);
    const milestone = await git.world.inProject(createProjectMilestone, project, author, developer, { title: '1.0' });
    const { id } = await git.open(project, author, { milestone_id: milestone.id });
    const asked = { milestone_id: milestone.id };
    const listed = await git.world.inProject(listProjectMilestoneMergeRequests, project, author, developer, asked);
    expect(listed.items).toMatchObject([{ id, milestone: { title: '1.0' } }]);
  });

  it('are counted on the issues that they close', async () => {
    const project = git.project();
    const author = git.member(project);
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
    await git.update(project, author, iid, { description: 'Closes #2' });
    await eventually(async () => (await counts()).join() === '0,1');
    await git.world.inProject(deleteMergeRequest, project, author, Access.Owner, { merge_request_iid: iid });
    await eventually(async () => (await counts()).join() === '0,0');
  });

  it('are counted up to a thousand by an issue', async () => {
    const project = git.project();
    const author = git.member(project);
    const issue = await git.world.inProject(createIssue, project, author, developer, { title: 'a' });
    const connection = git.world.service.running.app.get<Connection>(getConnectionToken());
    const issues = connection.model<IssueDocument>('Issue');
    const others = Array.from({ length: mostClosing }, (_, at) => -1 - at);
    await issues.updateOne({ _id: issue.id }, { $set: { closingMergeRequestIds: others } });
    const { id } = await git.open(project, author, { description: 'Closes #1' });
    const mergeRequests = connection.model<MergeRequestDocument>('MergeRequest');
    await eventually(async () => (await mergeRequests.findById(id).lean())?.closesIssueIids.join() === '1');
    expect((await issues.findById(issue.id).lean())?.closingMergeRequestIds).toEqual(others);
  });

  it('are assigned to the ghost user when their users are deleted', async () => {
    const project = git.project();
    const [author, reviewer, ghost] = [git.member(project), git.member(project), git.world.user()];
    const first = await git.open(project, author, { reviewer_ids: [reviewer.id] });
    await git.merge(project, reviewer, first.iid);
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
