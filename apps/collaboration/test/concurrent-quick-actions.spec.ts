import {
  Access,
  addIssueTimeSpent,
  createIssue,
  createIssueNote,
  createProjectLabel,
  getIssue,
  getIssueTimeStats,
  listIssueNotes,
  type ProjectRef,
  subscribeToIssue,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Developer } = Access;
const hour = 3600;

async function opened(input: object = {}) {
  const [project, user] = [world.project(), world.user()];
  const { iid } = await world.inProject(createIssue, project, user, Reporter, { title: 'One', ...input });
  const on = { issue_iid: iid };
  const write = (body: string) => world.inProject(createIssueNote, project, user, Reporter, { ...on, body });
  const read = () => world.inProject(getIssue, project, user, Reporter, on);
  return { project, user, on, write, read };
}

function memberOf(project: ProjectRef) {
  const user = world.user();
  world.join(user, project, Developer);
  return user;
}

// Quick actions are computed inside the change that writes them, so none overwrites another.
describe('concurrent quick actions', () => {
  it('add up all time spent, with that from the time tracking operations', async () => {
    const { project, user, on, write } = await opened();
    const spend = () => world.inProject(addIssueTimeSpent, project, user, Reporter, { ...on, duration: '1h' });
    await Promise.all([...Array.from({ length: 10 }, () => write('/spend 1h')), ...Array.from({ length: 5 }, spend)]);
    const stats = await world.inProject(getIssueTimeStats, project, user, Reporter, on);
    expect(stats.total_time_spent).toBe(15 * hour);
  });

  it('assign every named user, with one note for each', async () => {
    const { project, user, on, write, read } = await opened();
    const people = Array.from({ length: 6 }, () => memberOf(project));
    await Promise.all(people.map(({ username }) => write(`/assign @${username}`)));
    const assigned = (await read()).assignees.map(({ id }) => id);
    expect(new Set(assigned)).toEqual(new Set(people.map(({ id }) => id)));
    const listed = await world.inProject(listIssueNotes, project, user, Reporter, { ...on, per_page: 100 });
    const notes = listed.items.map(({ body }) => body).filter((body) => body.startsWith('assigned to'));
    expect(notes.sort()).toEqual(people.map(({ username }) => `assigned to @${username}`).sort());
  });

  it('assign and unassign users', async () => {
    const { project, write, read } = await opened();
    const [before, after] = [
      Array.from({ length: 4 }, () => memberOf(project)),
      Array.from({ length: 4 }, () => memberOf(project)),
    ];
    await write(`/assign ${before.map(({ username }) => `@${username}`).join(' ')}`);
    await Promise.all([
      ...before.map(({ username }) => write(`/unassign @${username}`)),
      ...after.map(({ username }) => write(`/assign @${username}`)),
    ]);
    expect(new Set((await read()).assignees.map(({ id }) => id))).toEqual(new Set(after.map(({ id }) => id)));
  });

  it('store all labels and subscriptions', async () => {
    const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { project, user, on, write, read } = await opened({ labels: titles.slice(3) });
    for (const name of titles.slice(0, 3)) {
      await world.inProject(createProjectLabel, project, user, Reporter, { name, color: '#ffffff' });
    }
    const follower = world.user();
    await Promise.all([
      ...titles.slice(0, 3).map((title) => write(`/label ~${title}`)),
      ...titles.slice(3).map((title) => write(`/unlabel ~${title}`)),
      world.inProject(subscribeToIssue, project, follower, Reporter, on),
      write('/due 2030-01-01'),
      write('/weight 3'),
    ]);
    expect(await read()).toMatchObject({ labels: ['a', 'b', 'c'], due_date: '2030-01-01', weight: 3 });
    const seen = await world.inProject(getIssue, project, follower, Reporter, on);
    expect(seen.subscribed).toBe(true);
  });
});

describe('a quick action that assigns', () => {
  it('ignores users who cannot read the project', async () => {
    const { project, write, read } = await opened();
    const [member, stranger] = [memberOf(project), world.user()];
    await write(`/assign @${stranger.username} @${member.username}`);
    expect((await read()).assignees.map(({ id }) => id)).toEqual([member.id]);
  });
});
