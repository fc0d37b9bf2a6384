import {
  Access,
  createIssue,
  createIssueAward,
  createIssueNote,
  createIssueNoteAward,
  deleteIssueAward,
  deleteIssueNoteAward,
  getIssue,
  getIssueAward,
  listIssueAwards,
  listIssueNoteAwards,
  listProjectIssues,
  type Note,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Guest } = Access;

describe('awards on an issue', () => {
  it('are added once by each user, counted, and found again', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    const { iid } = await world.inProject(createIssue, project, user, Guest, { title: 'One' });
    await world.inProject(createIssue, project, user, Guest, { title: 'Two' });
    const give = (by: typeof user, name: string) =>
      world.inProject(createIssueAward, project, by, Guest, { issue_iid: iid, name });
    const first = await give(user, '+1');
    expect(first).toMatchObject({ name: 'thumbsup', user: { id: user.id }, awardable_type: 'Issue' });
    expect(await world.inProject(getIssueAward, project, user, Guest, { issue_iid: iid, award_id: first.id })).toEqual(
      first,
    );
    const again = await Promise.allSettled([1, 2, 3].map(() => give(other, 'thumbsup')));
    expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await give(other, 'tada');
    await expect(give(user, 'no_such_emoji')).rejects.toMatchObject({ value: { code: 'award.not_found' } });
    const { items, total } = await world.inProject(listIssueAwards, project, user, Guest, { issue_iid: iid });
    expect([items.map(({ name }) => name), total]).toEqual([['thumbsup', 'thumbsup', 'tada'], 3]);
    expect((await world.inProject(getIssue, project, user, Guest, { issue_iid: iid })).upvotes).toBe(2);
    const mine = async (my_reaction_emoji: string) =>
      (await world.inProject(listProjectIssues, project, other, Guest, { my_reaction_emoji })).items.map(
        ({ title }) => title,
      );
    expect([await mine('tada'), await mine('Any'), await mine('None'), await mine('heart')]).toEqual([
      ['One'],
      ['One'],
      ['Two'],
      [],
    ]);
    const byPopularity = await world.inProject(listProjectIssues, project, other, Guest, { order_by: 'popularity' });
    expect(byPopularity.items.map(({ title }) => title)).toEqual(['One', 'Two']);
  });

  // Regression: there could be any number in one document.
  it('are at most ten thousand', async () => {
    const [project, user] = [world.project(), world.user()];
    const { iid, id } = await world.inProject(createIssue, project, user, Guest, { title: 'One' });
    const issues = world.service.running.app.get<Connection>(getConnectionToken()).collection('issues');
    const awards = Array.from({ length: 9_999 }, (_, n) => ({ id: n, name: 'tada', userId: -n }));
    await issues.updateOne({ _id: id as never }, { $set: { awards } });
    const give = (name: string) => world.inProject(createIssueAward, project, user, Guest, { issue_iid: iid, name });
    const outcomes = await Promise.allSettled([give('tada'), give('thumbsup'), give('heart')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(give('smile')).rejects.toThrow(/too many awards/);
  });

  it('are removed by their users and by administrators', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    const { iid } = await world.inProject(createIssue, project, user, Guest, { title: 'One' });
    const award = await world.inProject(createIssueAward, project, user, Guest, { issue_iid: iid, name: 'tada' });
    const remove = (by: typeof user) =>
      world.inProject(deleteIssueAward, project, by, Guest, { issue_iid: iid, award_id: award.id });
    await expect(remove(other)).rejects.toMatchObject({ value: { code: 'award.not_own' } });
    await remove(world.user({ isAdmin: true }));
    await expect(remove(user)).rejects.toMatchObject({ value: { code: 'award.not_found' } });
  });

  it('can also be added to its notes', async () => {
    const [project, user] = [world.project(), world.user()];
    const { iid } = await world.inProject(createIssue, project, user, Guest, { title: 'One' });
    const note = (await world.inProject(createIssueNote, project, user, Guest, { issue_iid: iid, body: 'Hi' })) as Note;
    const on = { issue_iid: iid, note_id: note.id };
    const award = await world.inProject(createIssueNoteAward, project, user, Guest, { ...on, name: 'tada' });
    expect(award).toMatchObject({ awardable_type: 'Note', awardable_id: note.id });
    expect((await world.inProject(listIssueNoteAwards, project, user, Guest, on)).items).toEqual([award]);
    await world.inProject(deleteIssueNoteAward, project, user, Guest, { ...on, award_id: award.id });
    expect((await world.inProject(listIssueNoteAwards, project, user, Guest, on)).items).toEqual([]);
  });
});
