import {
  Access,
  createIssue,
  getGroupIssuesStatistics,
  getIssuesStatistics,
  getProjectIssuesStatistics,
  updateIssue,
} from '@moothall/contracts';
import { CollaborationUnderTest } from './collaboration-under-test';

const { None, Guest, Reporter } = Access;

describe('counts of issues', () => {
  let world: CollaborationUnderTest;
  beforeAll(async () => {
    world = await CollaborationUnderTest.start();
  });
  afterAll(() => world?.stop());

  async function prepared() {
    const group = world.group();
    const project = world.project({ groupIds: [group.id], visibility: 'public' });
    const [author, other] = [world.user(), world.user()];
    const open = (by: typeof author, title: string, input: object = {}) =>
      world.inProject(createIssue, project, by, Reporter, { title, ...input });
    await open(author, 'crash here', { labels: ['bug', 'ui'], assignee_ids: [other.id] });
    await open(author, 'closed crash', { labels: ['bug'] });
    await open(other, 'third', { confidential: true });
    await open(other, 'fourth', { description: 'crash' });
    await world.inProject(updateIssue, project, author, Reporter, { issue_iid: 2, state_event: 'close' });
    return { group, project, author, other };
  }

  it('follow every filter, single and combined', async () => {
    const { project, author, other } = await prepared();
    const count = async (input: object) => {
      const { statistics } = await world.inProject(getProjectIssuesStatistics, project, author, Reporter, input);
      const { all, opened, closed } = statistics.counts;
      return [all, opened, closed];
    };
    expect(await count({})).toEqual([4, 3, 1]);
    expect(await count({ state: 'closed' })).toEqual([4, 3, 1]);
    expect(await count({ labels: ['bug'] })).toEqual([2, 1, 1]);
    expect(await count({ labels: ['Bug'] })).toEqual([0, 0, 0]);
    expect(await count({ labels: ['bug', 'ui'] })).toEqual([1, 1, 0]);
    expect(await count({ labels: ['none'] })).toEqual([2, 2, 0]);
    expect(await count({ scope: 'created_by_me' })).toEqual([2, 1, 1]);
    expect(await count({ scope: 'assigned-to-me' })).toEqual([0, 0, 0]);
    expect(await count({ author_id: other.id })).toEqual([2, 2, 0]);
    expect(await count({ assignee_username: [other.username] })).toEqual([1, 1, 0]);
    expect(await count({ search: 'crash' })).toEqual([3, 2, 1]);
    expect(await count({ confidential: true })).toEqual([1, 1, 0]);
    expect(await count({ iids: [1, 2, 77] })).toEqual([2, 1, 1]);
    expect(await count({ my_reaction_emoji: 'Any' })).toEqual([0, 0, 0]);
    expect(await count({ my_reaction_emoji: 'None' })).toEqual([4, 3, 1]);
    expect(await count({ labels: ['bug'], search: 'crash', author_id: author.id })).toEqual([2, 1, 1]);
    expect(await count({ labels: ['bug'], assignee_id: 'Any', milestone: 'None' })).toEqual([1, 1, 0]);
  });

  it('exclude issues that the caller may not see', async () => {
    const { project, group } = await prepared();
    const reader = world.user();
    const all = async (level: typeof None | typeof Guest | typeof Reporter) =>
      (await world.inProject(getProjectIssuesStatistics, project, reader, level, {})).statistics.counts.all;
    expect([await all(None), await all(Guest), await all(Reporter)]).toEqual([3, 3, 4]);
    const inGroup = await world.inGroup(getGroupIssuesStatistics, group, reader, None, {});
    expect(inGroup.statistics.counts.all).toBe(3);
  });

  it('count the issues of the caller, for the whole instance', async () => {
    const { author } = await prepared();
    const count = async (input: object, caller = author) =>
      (await world.call(getIssuesStatistics, input, { requestId: 'test', caller })).statistics.counts;
    expect(await count({})).toEqual({ all: 2, opened: 1, closed: 1 });
    expect((await count({ scope: 'all' })).all).toBeGreaterThanOrEqual(4);
    expect(await count({ scope: 'all', author_id: author.id }, world.user({ isAdmin: true }))).toEqual({
      all: 2,
      opened: 1,
      closed: 1,
    });
  });

  it('refuse two ways to name one person', () => {
    const problems = (input: object) =>
      getIssuesStatistics.input.safeParse(input).error?.issues.map(({ message }) => message);
    expect(problems({ author_id: 1, author_username: 'a' })).toEqual([
      'author_id, author_username are mutually exclusive',
    ]);
    expect(problems({ assignee_id: '1', assignee_username: ['a'] })).toEqual([
      'assignee_id, assignee_username are mutually exclusive',
    ]);
    expect(problems({ assignee_id: 'some' })).toEqual(["should be an integer, 'None' or 'Any'"]);
  });
});

describe('counts of issues in the community edition', () => {
  let world: CollaborationUnderTest;
  beforeAll(async () => {
    world = await CollaborationUnderTest.start({ EDITION: 'community' });
  });
  afterAll(() => world?.stop());

  it('are for one assignee only', async () => {
    const project = world.project();
    await expect(
      world.inProject(getProjectIssuesStatistics, project, world.user(), Reporter, { assignee_username: ['a', 'b'] }),
    ).rejects.toMatchObject({ value: { message: 'assignee_username allows one value, but found 2: a, b' } });
  });
});
