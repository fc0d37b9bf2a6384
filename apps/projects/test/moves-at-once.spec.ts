import { createGroup, getGroup, updateGroup } from '@moothall/contracts';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { MoveBelow } from '../src/move/move-below';
import { MoveNamespace } from '../src/move/move-namespace';
import { Namespaces } from '../src/namespace/namespace.repository';
import type { NamespaceDocument } from '../src/namespace/namespace.schema';
import { type ProjectsUnderTest, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  // No sweep of its own between the steps.
  projects = await startProjects({ ROLES: 'api' });
});
afterAll(() => projects.stop());

// A starting replica took up a move that another was at work on, and old paths came back.
it('leaves a move to the process that is at it, and goes on once that has ended', async () => {
  const ann = await projects.user();
  const path = uniqueName('old');
  const top = await projects.ask(ann, createGroup, { name: path, path });
  const below = await projects.ask(ann, createGroup, { name: 'below', path: 'below', parent_id: top.id });
  const { app } = projects.running;
  const model = app.get<Model<NamespaceDocument>>(getModelToken('Namespace'), { strict: false });
  const to = uniqueName('new');
  const moved = { path: to, fullPath: to, pathKey: to, isMoving: true };
  await model.updateOne({ _id: top.id }, { $set: moved });
  const leases = model.db.collection<{ _id: string; beat: number; owner: object }>('leases');
  const _id = `move of namespace ${top.id}`;
  const owner = { host: 'far', pid: 1, identity: 'x', place: 'another machine', lease: 'its' };
  await leases.insertOne({ _id, owner, beat: 0 });
  const pathBelow = async () => (await projects.ask(ann, getGroup, { id: String(below.id) })).full_path;

  const goesOn = app.get(MoveNamespace, { strict: false }).carryOnAll();
  for (let beat = 1; beat <= 20; beat++) {
    await leases.updateOne({ _id }, { $set: { beat } });
    expect(await pathBelow()).toBe(`${path}/below`);
  }
  await leases.deleteOne({ _id });
  await goesOn;
  expect(await pathBelow()).toBe(`${to}/below`);
  expect(await leases.findOne({ _id })).toBeNull();
});

// E: the guard of a move could be taken away, and no test said so.
it('puts moves of one group at once one after the other, and what is below follows the last', async () => {
  const ann = await projects.user();
  const path = uniqueName('first');
  const top = await projects.ask(ann, createGroup, { name: path, path });
  const below = await projects.ask(ann, createGroup, { name: 'below', path: 'below', parent_id: top.id });
  const id = String(top.id);
  const [one, other] = [uniqueName('one'), uniqueName('other')];
  await Promise.all(
    [{ path: one }, { name: 'Renamed' }, { path: other }].map((change) =>
      projects.ask(ann, updateGroup, { id, ...change }),
    ),
  );
  const moved = await projects.ask(ann, getGroup, { id });
  expect(moved.name).toBe('Renamed');
  expect([one, other]).toContain(moved.full_path);
  const follower = await projects.ask(ann, getGroup, { id: String(below.id) });
  expect(follower).toMatchObject({ full_path: `${moved.full_path}/below`, full_name: 'Renamed / below' });
});

/** Lets a walk come to a halt before it reads what is below a group, as if its process were stopped there. */
function haltBefore(app: ProjectsUnderTest['running']['app'], groupId: number) {
  const { model } = app.get(Namespaces, { strict: false });
  const find = model.find.bind(model);
  let goOn: () => void = () => undefined;
  let halted: (() => void) | undefined;
  const isHalted = new Promise<void>((resolve) => {
    halted = resolve;
  });
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  jest.spyOn(model, 'find').mockImplementation(((filter: { parentId?: number }) => {
    const query = find(filter as never);
    if (filter?.parentId !== groupId || !halted) return query;
    const tell = halted;
    halted = undefined;
    const halting = async function* () {
      const children = await query.lean();
      tell();
      await released;
      yield* children;
    };
    return { lean: () => ({ cursor: halting }) };
  }) as never);
  return { isHalted, goOn: () => goOn() };
}

// Of two who are at one move, the one that was stopped in the middle is not to put old paths back.
it('is not put back by a process that slept in the middle of it', async () => {
  const ann = await projects.user();
  const path = uniqueName('first');
  const top = await projects.ask(ann, createGroup, { name: path, path });
  const below = await projects.ask(ann, createGroup, { name: 'below', path: 'below', parent_id: top.id });
  const { app } = projects.running;
  const { model } = app.get(Namespaces, { strict: false });
  const walks = app.get(MoveBelow, { strict: false });
  const moveTo = (to: string) =>
    model.updateOne({ _id: top.id }, { $set: { path: to, fullPath: to, pathKey: to, isMoving: true } });
  const pathBelow = async () => (await model.findById(below.id).lean())?.fullPath;

  const [second, third] = [uniqueName('second'), uniqueName('third')];
  const { isHalted, goOn } = haltBefore(app, top.id);
  await moveTo(second);
  const sleeper = walks.finishMove(top.id);
  await isHalted;
  // Another takes over, ends the move, and there is a next one.
  await walks.finishMove(top.id);
  await moveTo(third);
  await walks.finishMove(top.id);
  expect(await pathBelow()).toBe(`${third}/below`);
  await moveTo(uniqueName('fourth'));
  goOn();
  await sleeper;
  expect(await pathBelow()).toBe(`${third}/below`);
  // Nor does it end the move that is not its own.
  expect(await model.findById(top.id).lean()).toMatchObject({ isMoving: true });
  jest.restoreAllMocks();
  await walks.finishMove(top.id);
  expect(await pathBelow()).toMatch(/^fourth/);
});
