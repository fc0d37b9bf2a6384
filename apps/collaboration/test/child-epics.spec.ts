import {
  Access,
  type AccessLevel,
  addEpicIssue,
  assignChildEpic,
  type Caller,
  createChildEpic,
  createEpic,
  createIssue,
  deleteEpic,
  getEpic,
  listChildEpics,
  mostEpicLevels,
  moveChildEpic,
  removeChildEpic,
  updateEpic,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter, Owner } = Access;

function newGroup() {
  const [group, user] = [world.group(), world.user()];
  world.join(user, group as never, Reporter);
  return { group, user };
}

type GroupOfUser = ReturnType<typeof newGroup>;

const open = ({ group, user }: GroupOfUser, title: string, over: object = {}) =>
  world.inGroup(createEpic, group, user, Reporter, { title, ...over });

const assign = ({ group, user }: GroupOfUser, epic_iid: number, child_epic_id: number, level: AccessLevel = Reporter) =>
  world.inGroup(assignChildEpic, group, user, level, { epic_iid, child_epic_id });

const titlesBelow = async (
  { group, user }: GroupOfUser,
  epic_iid: number,
  by: Caller = user,
  level: AccessLevel = Reporter,
) => (await world.inGroup(listChildEpics, group, by, level, { epic_iid })).items.map(({ title }) => title);

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'ok',
    ({ code }) => code,
  );

describe('epics below epics', () => {
  it('are created, added, ordered and removed', async () => {
    const at = newGroup();
    const { group, user } = at;
    const top = await open(at, 'Top', { confidential: true });
    const made = await world.inGroup(createChildEpic, group, user, Reporter, { epic_iid: top.iid, title: 'One' });
    expect(made).toMatchObject({
      ...{ title: 'One', parent_id: top.id, parent_iid: top.iid, confidential: true },
      ...{ has_children: false, has_issues: false, url: made.web_url },
    });
    const [two, three] = [await open(at, 'Two'), await open(at, 'Three')];
    expect(await assign(at, top.iid, two.id)).toMatchObject({ id: two.id, parent_id: top.id });
    await assign(at, top.iid, three.id);
    expect(await codeOf(assign(at, top.iid, three.id))).toBe('child_epic.taken');
    expect(await titlesBelow(at, top.iid)).toEqual(['One', 'Two', 'Three']);
    const move = { epic_iid: top.iid, child_epic_id: three.id, move_before_id: two.id };
    const { items } = await world.inGroup(moveChildEpic, group, user, Reporter, move);
    expect(items.map(({ title }) => title)).toEqual(['One', 'Three', 'Two']);
    const gone = { epic_iid: top.iid, child_epic_id: made.id };
    expect(await world.inGroup(removeChildEpic, group, user, Reporter, gone)).toMatchObject({ parent_id: null });
    expect(await codeOf(world.inGroup(removeChildEpic, group, user, Reporter, gone))).toBe('child_epic.not_found');
    expect(await codeOf(world.inGroup(moveChildEpic, group, user, Reporter, gone))).toBe('child_epic.not_found');
    expect(await titlesBelow(at, top.iid)).toEqual(['Three', 'Two']);
  });

  it('show whether they have child epics and issues', async () => {
    const at = newGroup();
    const { group, user } = at;
    const project = world.project({ groupIds: [group.id] });
    world.join(user, project, Reporter);
    const [top, middle, low] = [await open(at, 'Top'), await open(at, 'Middle'), await open(at, 'Low')];
    await assign(at, middle.iid, low.id);
    const issue = await world.inProject(createIssue, project, user, Reporter, { title: 'Issue' });
    await world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: middle.iid, issue_id: issue.id });
    expect(await assign(at, top.iid, middle.id)).toMatchObject({ has_children: true, has_issues: true });
  });

  it('are above nothing that is above them, and five deep', async () => {
    const at = newGroup();
    const chain = [await open(at, 'Level 0')];
    expect(await codeOf(assign(at, chain[0]!.iid, chain[0]!.id))).toBe('child_epic.circle');
    for (let level = 1; level < mostEpicLevels; level++) {
      chain.push(await open(at, `Level ${level}`));
      await assign(at, chain[level - 1]!.iid, chain[level]!.id);
    }
    expect(await codeOf(assign(at, chain[3]!.iid, chain[0]!.id))).toBe('child_epic.circle');
    const { group, user } = at;
    const below = { epic_iid: chain.at(-1)!.iid, title: 'Too deep' };
    expect(await codeOf(world.inGroup(createChildEpic, group, user, Reporter, below))).toBe('child_epic.too_deep');
    const other = await open(at, 'Other');
    expect(await codeOf(assign(at, other.iid, chain[0]!.id))).toBe('child_epic.too_deep');
    const named = { epic_iid: other.iid, parent_id: chain.at(-1)!.id };
    expect(await codeOf(world.inGroup(updateEpic, group, user, Reporter, named))).toBe('common.invalid_record');
    const circle = { epic_iid: chain[0]!.iid, parent_id: chain[2]!.id };
    expect(await codeOf(world.inGroup(updateEpic, group, user, Reporter, circle))).toBe('common.invalid_record');
  });

  it('cannot form a cycle by two concurrent requests', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const at = newGroup();
      const [one, other] = [await open(at, 'One'), await open(at, 'Other')];
      await Promise.all([codeOf(assign(at, one.iid, other.id)), codeOf(assign(at, other.iid, one.id))]);
      const parents = await Promise.all(
        [one, other].map(async ({ iid }) => {
          const { parent_id } = await world.inGroup(getEpic, at.group, at.user, Reporter, { epic_iid: iid });
          return parent_id;
        }),
      );
      expect(parents.filter((id) => id !== null).length).toBeLessThan(2);
    }
  });

  it('are from the group and its subgroups, and shown to users who see them', async () => {
    const at = newGroup();
    const guest = world.user();
    const under = world.group({ parentId: at.group.id, ancestorIds: [at.group.id] });
    world.join(at.user, under as never, Reporter);
    const top = await open(at, 'Top');
    const low = await open({ ...at, group: under }, 'Low');
    await assign(at, top.iid, low.id);
    expect(await titlesBelow(at, top.iid)).toEqual(['Low']);
    expect(await titlesBelow(at, top.iid, guest, None)).toEqual([]);
    const reporter = world.user();
    const move = { epic_iid: top.iid, child_epic_id: low.id };
    expect(await codeOf(world.inGroup(moveChildEpic, at.group, reporter, Reporter, move))).toBe('child_epic.not_found');
    const far = newGroup();
    const elsewhere = await open(far, 'Elsewhere');
    expect(await codeOf(assign(at, top.iid, elsewhere.id))).toBe('child_epic.not_found');
    expect(await codeOf(assign(at, top.iid, 999_999_999))).toBe('child_epic.not_found');
    const secret = await open(at, 'Secret', { confidential: true });
    await assign(at, top.iid, secret.id);
    world.join(guest, at.group as never, Guest);
    expect(await titlesBelow(at, top.iid, guest, Guest)).toEqual([]);
  });

  it('become top-level epics when their parent is deleted', async () => {
    const at = newGroup();
    const [top, low] = [await open(at, 'Top'), await open(at, 'Low')];
    await assign(at, top.iid, low.id);
    await world.inGroup(deleteEpic, at.group, at.user, Owner, { epic_iid: top.iid });
    const isAlone = async () => {
      const { parent_id } = await world.inGroup(getEpic, at.group, at.user, Reporter, { epic_iid: low.iid });
      return parent_id === null;
    };
    await eventually(isAlone);
  });
});
