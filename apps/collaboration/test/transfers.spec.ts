import {
  Access,
  addEpicIssue,
  createEpic,
  createGroupLabel,
  createGroupMilestone,
  createIssue,
  createProjectMilestone,
  type GroupRef,
  getEpic,
  getIssue,
  groupChanged,
  listIssueLabelEvents,
  listIssueMilestoneEvents,
  listProjectLabels,
  listProjectMilestones,
  type ProjectRef,
  projectChanged,
  updateIssue,
  updateProjectLabel,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import * as fc from 'fast-check';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Owner } = Access;
const user = () => world.user({ isAdmin: true });

/** Moves a project into a group or out of it, and publishes the event of the projects service. */
async function transfer(project: ProjectRef, group: GroupRef | undefined): Promise<ProjectRef> {
  const groupIds = group ? [group.id, ...group.ancestorIds] : [];
  const moved = { ...project, groupIds };
  world.projects.set(project.id, moved);
  await world.service.emit(projectChanged, {
    project_id: project.id,
    full_path: project.fullPath,
    change: 'transferred',
  });
  return moved;
}

const labelNamed = (group: GroupRef, name: string, color = '#123456') =>
  world.inGroup(createGroupLabel, group, user(), Owner, { name, color, description: `of ${group.id}` });

const milestoneNamed = (group: GroupRef, title: string) =>
  world.inGroup(createGroupMilestone, group, user(), Owner, { title, due_date: '2030-05-06' });

const issueIn = (project: ProjectRef, input: object) =>
  world.inProject(createIssue, project, user(), Owner, { title: 'One', ...input });

const labelsOf = async (project: ProjectRef) =>
  (await world.inProject(listProjectLabels, project, user(), Owner, { with_counts: true, per_page: 100 })).items;

// A transferred project keeps copies of labels and milestones of its former groups.
describe('a project that is transferred', () => {
  it('copies labels and milestones of its former group', async () => {
    const group = world.group();
    const project = world.project({ groupIds: [group.id] });
    await labelNamed(group, 'bug');
    await labelNamed(group, 'unused');
    const milestone = await milestoneNamed(group, 'v1');
    const { iid } = await issueIn(project, { labels: ['bug', 'mine'], milestone_id: milestone.id });
    await world.inProject(updateProjectLabel, project, user(), Owner, { name: 'bug', priority: 4 });
    const moved = await transfer(project, undefined);

    const on = { issue_iid: iid };
    const read = () => world.inProject(getIssue, moved, user(), Owner, on);
    const settled = await eventually(async () => {
      const issue = await read();
      return issue.milestone?.id !== milestone.id && issue;
    });
    expect(settled).toMatchObject({
      labels: ['bug', 'mine'],
      milestone: { title: 'v1', project_id: project.id, due_date: '2030-05-06' },
    });
    const labels = await labelsOf(moved);
    expect(labels.map(({ name }) => name)).toEqual(['bug', 'mine']);
    expect(labels[0]).toMatchObject({
      color: '#123456',
      description: `of ${group.id}`,
      is_project_label: true,
      priority: 4,
      open_issues_count: 1,
    });
    const again = await world.inProject(updateIssue, moved, user(), Owner, { ...on, add_labels: ['bug'] });
    expect(again.labels).toEqual(['bug', 'mine']);
    const events = await world.inProject(listIssueLabelEvents, moved, user(), Owner, on);
    const owned = labels.map(({ id }) => id);
    expect(events.items.every(({ label }) => label && owned.includes(label.id))).toBe(true);
    const set = await world.inProject(listIssueMilestoneEvents, moved, user(), Owner, on);
    expect(set.items).toMatchObject([{ action: 'add', milestone: { title: 'v1', project_id: project.id } }]);
  });

  it('uses those of the same title in the new group', async () => {
    const [from, to] = [world.group(), world.group()];
    const project = world.project({ groupIds: [from.id] });
    await labelNamed(from, 'bug');
    const old = await milestoneNamed(from, 'v1');
    const [there, milestone] = [await labelNamed(to, 'bug', '#654321'), await milestoneNamed(to, 'v1')];
    const { iid } = await issueIn(project, { labels: ['bug'], milestone_id: old.id });
    const moved = await transfer(project, to);
    await eventually(async () => {
      const issue = await world.inProject(getIssue, moved, user(), Owner, { issue_iid: iid });
      return issue.milestone?.id === milestone.id;
    });
    expect(await labelsOf(moved)).toMatchObject([{ id: there.id, open_issues_count: 1, is_project_label: false }]);
    const own = await world.inProject(listProjectMilestones, moved, user(), Owner, { state: 'all' });
    expect(own.items).toEqual([]);
  });

  it('loses the epics of its former group', async () => {
    const group = world.group();
    const project = world.project({ groupIds: [group.id] });
    const issue = await issueIn(project, {});
    const epic = await world.inGroup(createEpic, group, user(), Owner, { title: 'Big' });
    await world.inGroup(addEpicIssue, group, user(), Owner, { epic_iid: epic.iid, issue_id: issue.id });
    const moved = await transfer(project, undefined);
    await eventually(async () => {
      const { epic: its } = await world.inProject(getIssue, moved, user(), Owner, { issue_iid: issue.iid });
      return its === null;
    });
  });

  it('keeps all titles on each issue, once, with right counts, in any group', async () => {
    const titles = ['a', 'b', 'c', 'd'];
    const some = fc.subarray(titles);
    const move = fc.record({ to: fc.nat({ max: 3 }), labels: some, milestone: fc.option(fc.constantFrom(...titles)) });
    const place = fc.record({ labels: some, milestones: some });
    await fc.assert(
      fc.asyncProperty(fc.tuple(place, place, place), fc.array(move, { minLength: 1, maxLength: 4 }), checkMoves),
      { numRuns: 8 },
    );
  }, 120_000);

  async function checkMoves(
    places: { labels: string[]; milestones: string[] }[],
    moves: { to: number; labels: string[]; milestone: string | null }[],
  ): Promise<void> {
    const root = world.group();
    const groups = [root, world.group({ parentId: root.id, ancestorIds: [root.id] }), world.group()];
    for (const [at, { labels, milestones }] of places.entries()) {
      for (const name of labels) await labelNamed(groups[at]!, name);
      for (const title of milestones) await milestoneNamed(groups[at]!, title).catch(() => {});
    }
    let project = world.project({ groupIds: [] });
    const wanted = new Map<number, { labels: string[]; milestone?: string | undefined }>();
    for (const { to, labels, milestone } of moves) {
      project = await transfer(project, groups[to]);
      await settledIn(project, wanted);
      const { items } = await world.inProject(listProjectMilestones, project, user(), Owner, {
        state: 'all',
        include_parent_milestones: true,
      });
      const found = items.find(({ title }) => title === milestone);
      const { iid } = await issueIn(project, { labels, ...(found && { milestone_id: found.id }) });
      wanted.set(iid, { labels, milestone: found?.title });
    }
    await settledIn(await transfer(project, undefined), wanted);
  }

  /** Waits until everything on the issues belongs to the project or groups above it, with equal values. */
  async function settledIn(
    project: ProjectRef,
    wanted: Map<number, { labels: string[]; milestone?: string | undefined }>,
  ) {
    const allowed = new Set([project.id, ...project.groupIds]);
    await eventually(async () => {
      const labels = await labelsOf(project);
      const counts = new Map(labels.map(({ name, open_issues_count }) => [name, open_issues_count]));
      for (const [iid, { labels: names, milestone }] of wanted) {
        const issue = await world.inProject(getIssue, project, user(), Owner, { issue_iid: iid });
        expect(issue.labels).toEqual(names);
        expect(issue.milestone?.title).toBe(milestone);
        const { project_id, group_id } = issue.milestone ?? {};
        if (issue.milestone && !allowed.has((project_id ?? group_id)!)) return false;
      }
      const bearing = (title: string) =>
        [...wanted.values()].filter(({ labels: names }) => names.includes(title)).length;
      return ['a', 'b', 'c', 'd'].every((title) => (counts.get(title) ?? 0) === bearing(title));
    });
  }
});

describe('a group that is transferred', () => {
  it('copies labels of its ancestors for its epics, and keeps their epics as parents', async () => {
    const above = world.group();
    const group = world.group({ parentId: above.id, ancestorIds: [above.id] });
    await labelNamed(above, 'plan');
    const parent = await world.inGroup(createEpic, above, user(), Owner, { title: 'Above' });
    const epic = await world.inGroup(createEpic, group, user(), Owner, {
      title: 'Below',
      labels: ['plan'],
      parent_id: parent.id,
    });
    const moved = { ...group, parentId: null, ancestorIds: [] };
    world.groups.set(group.id, moved);
    // More groups below it than fit into one event.
    world.gone.set(
      group.id,
      Array.from({ length: 1000 }, (_, at) => 2 ** 40 + at),
    );
    await world.service.emit(groupChanged, { group_id: group.id, full_path: group.fullPath, change: 'transferred' });
    const read = () => world.inGroup(getEpic, moved, user(), Reporter, { epic_iid: epic.iid });
    await eventually(async () => (await read()).parent_id === null);
    expect((await read()).labels).toEqual(['plan']);
  });
});

it('keeps its own milestones that also exist in the new ancestors', async () => {
  const to = world.group();
  const project = world.project({ groupIds: [] });
  const own = await world.inProject(createProjectMilestone, project, user(), Owner, { title: 'v1' });
  await milestoneNamed(to, 'v1');
  const { iid } = await issueIn(project, { milestone_id: own.id });
  const moved = await transfer(project, to);
  const { milestone } = await world.inProject(getIssue, moved, user(), Owner, { issue_iid: iid });
  expect(milestone?.id).toBe(own.id);
});
