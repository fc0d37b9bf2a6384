import {
  Access,
  createGroupLabel,
  createIssue,
  createIssueAward,
  createIssueNote,
  createProjectLabel,
  createProjectMilestone,
  getIssue,
  groupDeleted,
  issueChanged,
  listGroupLabels,
  listIssueNotes,
  listProjectIssues,
  listProjectLabels,
  listProjectMilestones,
  projectDeleted,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Developer } = Access;

describe('a deleted user', () => {
  async function contributed() {
    const [project, user, other] = [world.project({ visibility: 'public' }), world.user(), world.user()];
    const own = await world.inProject(createIssue, project, user, Reporter, { title: 'Own' });
    const theirs = await world.inProject(createIssue, project, other, Reporter, {
      title: 'Theirs',
      assignee_ids: [user.id, other.id],
    });
    await world.inProject(createIssueNote, project, user, Reporter, { issue_iid: theirs.iid, body: 'Mine' });
    await world.inProject(createIssueNote, project, other, Reporter, { issue_iid: theirs.iid, body: 'Not mine' });
    await world.inProject(createIssueAward, project, user, Reporter, { issue_iid: theirs.iid, name: 'tada' });
    const see = (issue_iid: number) => world.inProject(getIssue, project, other, Reporter, { issue_iid });
    const notes = async () =>
      (
        await world.inProject(listIssueNotes, project, other, Reporter, {
          issue_iid: theirs.iid,
          activity_filter: 'only_comments',
        })
      ).items;
    return { project, user, other, own, theirs, see, notes };
  }

  it('transfers their content to the ghost user', async () => {
    const { user, other, own, theirs, see, notes } = await contributed();
    const ghost = world.user();
    await world.service.emit(userDeleted, {
      user_id: user.id,
      username: user.username,
      hard_delete: false,
      ghost_user_id: ghost.id,
    });
    await eventually(async () => (await see(theirs.iid)).assignees.length === 1);
    expect((await see(own.iid)).author.id).toBe(ghost.id);
    expect((await see(theirs.iid)).assignees.map(({ id }) => id)).toEqual([other.id]);
    expect((await notes()).map(({ author }) => author.id).sort()).toEqual([other.id, ghost.id].sort());
  });

  it('also deletes it on request', async () => {
    const { user, other, project, own, theirs, see, notes } = await contributed();
    await world.service.emit(userDeleted, {
      user_id: user.id,
      username: user.username,
      hard_delete: true,
      ghost_user_id: world.user().id,
    });
    await eventually(async () => (await see(theirs.iid)).assignees.length === 1);
    expect(
      (await world.inProject(listProjectIssues, project, other, Reporter, {})).items.map(({ title }) => title),
    ).toEqual(['Theirs']);
    expect((await notes()).map(({ body }) => body)).toEqual(['Not mine']);
    expect(await see(theirs.iid)).toMatchObject({ user_notes_count: 1 });
    // Services that count issues need each event.
    const published = () => world.service.events(issueChanged).filter(({ data }) => data.issue.id === own.id);
    await eventually(() => published().at(-1)?.data.action === 'delete');
  });
});

describe('a deleted project or group', () => {
  it('deletes everything it owned, and nothing else', async () => {
    const user = world.user();
    const [gone, kept] = [world.project(), world.project()];
    for (const project of [gone, kept]) {
      await world.inProject(createIssue, project, user, Reporter, { title: 'One' });
      await world.inProject(createProjectLabel, project, user, Reporter, { name: 'bug', color: '#fff' });
      await world.inProject(createProjectMilestone, project, user, Developer, { title: 'v1' });
    }
    const totals = async (project: typeof gone) =>
      Promise.all(
        [listProjectIssues, listProjectLabels, listProjectMilestones].map(
          async (list) => (await world.inProject(list as typeof listProjectLabels, project, user, Reporter, {})).total,
        ),
      );
    expect(await totals(gone)).toEqual([1, 1, 1]);
    await world.service.emit(projectDeleted, { project_id: gone.id, full_path: gone.fullPath, storage: 'default' });
    await eventually(async () => (await totals(gone)).every((total) => total === 0));
    expect(await totals(kept)).toEqual([1, 1, 1]);
  });

  it('loses the labels of a group', async () => {
    const [group, user] = [world.group(), world.user()];
    await world.inGroup(createGroupLabel, group, user, Reporter, { name: 'bug', color: '#fff' });
    await world.service.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath });
    await eventually(async () => (await world.inGroup(listGroupLabels, group, user, Reporter, {})).total === 0);
  });
});
