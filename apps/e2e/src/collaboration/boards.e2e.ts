import { root } from '../server/connection';
import { newWorld, type World } from './world';

/* Boards by a v4 client. */

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
  await root.GroupLabels.create(world.groupId, 'doing', '#112233');
  await root.GroupLabels.create(world.groupId, 'done', '#445566');
});

const kinds = {
  project: ({ projectId: id, member: { client } }: World) => ({
    id,
    boards: client.ProjectIssueBoards,
    all: () => client.ProjectIssueBoards.all(id),
  }),
  group: ({ groupId: id, member: { client } }: World) => ({
    id,
    boards: client.GroupIssueBoards,
    all: () => client.GroupIssueBoards.all(id),
  }),
};

it.each(Object.keys(kinds) as (keyof typeof kinds)[])('a %s has boards with lists that move', async (kind) => {
  const { id, boards, all } = kinds[kind](world);
  const labels = await root.GroupLabels.all(world.groupId);
  const made = await boards.create(id, 'Work');
  expect(made).toMatchObject({ name: 'Work', lists: [], [kind]: { id } });
  const add = async (name: string) => {
    const labelId = labels.find((label) => label.name === name)!.id;
    return boards.createList(id, made.id, { labelId });
  };
  const [doing, done] = [await add('doing'), await add('done')];
  expect(doing).toMatchObject({ position: 0, label: { name: 'doing' } });
  await boards.editList(id, made.id, done.id, 0);
  const lists = await boards.allLists(id, made.id);
  expect(lists.map(({ id: one, position }) => [one, position])).toEqual([
    [done.id, 0],
    [doing.id, 1],
  ]);
  expect(await boards.showList(id, made.id, done.id)).toEqual(lists[0]);
  await expect(boards.editList(id, made.id, done.id, 9)).rejects.toThrow(/could not be moved/);
  await boards.removeList(id, made.id, done.id);
  const edited = await boards.edit(id, made.id, { name: 'Play', assigneeId: world.member.id, weight: 2 });
  expect(edited).toMatchObject({ name: 'Play', weight: 2, assignee: { username: world.member.username } });
  expect(await boards.show(id, made.id)).toEqual(edited);
  expect(await all()).toEqual([edited]);
  await boards.remove(id, made.id);
  await expect(boards.show(id, made.id)).rejects.toThrow(/404/);
});
