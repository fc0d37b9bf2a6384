import {
  createGroup,
  createProject,
  createRepository,
  deleteGroup,
  getGroup,
  projectDeleted,
  transferGroup,
  updateGroup,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { describeWithoutFaults } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { WriteGroup } from '../src/group/write-group';
import { MoveBelow } from '../src/move/move-below';
import { MoveNamespace } from '../src/move/move-namespace';
import { Namespaces } from '../src/namespace/namespace.repository';
import type { NamespaceDocument } from '../src/namespace/namespace.schema';
import { PlaceProject } from '../src/project/place-project';
import { Projects } from '../src/project/project.repository';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  // Without periodic jobs between the steps.
  projects = await startProjects({ ROLES: 'api' });
});
afterAll(() => projects.stop());

// Regression: a starting replica continued a move that another one was running, and old paths came back.
it('does not touch a move of a running process, and continues it after that has ended', async () => {
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

// Regression: the lock of a move could be removed without a failing test.
it('runs concurrent moves of one group one after the other, and its content follows the last', async () => {
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

/** Stops a walk before it reads what is below a group, like a suspended process. */
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

// A process that was suspended during a move must not restore old paths.
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
  // Another process takes over and completes the move, and a later move follows.
  await walks.finishMove(top.id);
  await moveTo(third);
  await walks.finishMove(top.id);
  expect(await pathBelow()).toBe(`${third}/below`);
  await moveTo(uniqueName('fourth'));
  goOn();
  await sleeper;
  expect(await pathBelow()).toBe(`${third}/below`);
  // Nor does it complete the later move.
  expect(await model.findById(top.id).lean()).toMatchObject({ isMoving: true });
  jest.restoreAllMocks();
  await walks.finishMove(top.id);
  expect(await pathBelow()).toMatch(/^fourth/);
});

type Owner = Awaited<ReturnType<ProjectsUnderTest['user']>>;
const part = <T>(type: abstract new (...args: never[]) => T): T =>
  projects.running.app.get(type as never, { strict: false });
const newGroup = (owner: Owner, over: object = {}) =>
  projects.ask(owner, createGroup, { name: 'Group', path: uniqueName('group'), ...over });
const place = (owner: Owner, { id }: { id: number }, group_id: number) =>
  projects.ask(owner, transferGroup, { id: String(id), group_id });

// Regression: each was below the other then, and a walk never ended.
it('moves one of two groups below the other, or its descendant, under concurrent requests', async () => {
  const ann = await projects.user();
  const [one, other] = [await newGroup(ann), await newGroup(ann)];
  const below = await newGroup(ann, { parent_id: one.id });
  const outcomes = await Promise.all([refusal(place(ann, one, other.id)), refusal(place(ann, other, below.id))]);
  expect(outcomes.filter(({ code }) => code === 'none')).toHaveLength(1);
  const documents = await part(Namespaces)
    .model.find({ _id: { $in: [one.id, other.id] } })
    .lean();
  expect(documents.filter(({ parentId }) => parentId === null)).toHaveLength(1);
  expect(documents.map(({ isMoving }) => isMoving)).toEqual([false, false]);
});

it('ends a walk in a cycle of groups', async () => {
  const ann = await projects.user();
  const [one, other] = [await newGroup(ann), await newGroup(ann)];
  const { model } = part(Namespaces);
  const standsBelow = (id: number, parentId: number) =>
    model.updateOne({ _id: id }, { $set: { parentId, ancestorIds: [parentId], isMoving: true } });
  await standsBelow(one.id, other.id);
  await standsBelow(other.id, one.id);
  await part(MoveBelow).finishMove(one.id);
  await part(MoveBelow).finishMove(other.id);
  expect(await model.countDocuments({ _id: { $in: [one.id, other.id] }, isMoving: true })).toBe(0);
});

describeWithoutFaults('what is written while its namespace', () => {
  /** Runs a step while the repository of a project is created. */
  function whileMaking(step: () => Promise<unknown>): void {
    const client = part(OperationClient);
    const call = client.call.bind(client);
    const making = jest.spyOn(client, 'call').mockImplementation((async (...args: Parameters<typeof call>) => {
      if (args[0].name === createRepository.name) {
        making.mockRestore();
        await step();
      }
      return call(...args);
    }) as never);
  }

  it('follows it if it moves', async () => {
    const ann = await projects.user();
    const [top, former, group] = [await newGroup(ann), await newGroup(ann), await newGroup(ann)];
    await place(ann, group, former.id);
    const asItWas = await part(Namespaces).getGroup(group.id);
    whileMaking(() => place(ann, group, top.id));
    const made = await projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id });
    const fullPath = `${top.path}/${group.path}`;
    expect(made.path_with_namespace).toBe(`${fullPath}/tool`);
    expect(await part(Projects).get(made.id)).toMatchObject({ groupIds: [group.id, top.id] });
    const attributes = { name: 'Sub', path: 'sub', description: '', visibility: 'private', creatorId: ann.id } as const;
    const sub = await part(WriteGroup).write({ ...attributes, parent: asItWas, settings: asItWas.settings });
    expect(sub).toMatchObject({ fullPath: `${fullPath}/sub`, ancestorIds: [group.id, top.id] });
    // A project from another namespace.
    const own = await projects.ask(ann, createProject, { path: uniqueName('own') });
    await part(PlaceProject).transfer(await part(Projects).get(own.id), asItWas, ann.id);
    const come = await part(Projects).get(own.id);
    expect(come).toMatchObject({ fullPath: `${fullPath}/${own.path}`, groupIds: [group.id, top.id] });
  });

  it('is deleted with it', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann);
    const asItWas = await part(Namespaces).getGroup(group.id);
    whileMaking(() => projects.ask(ann, deleteGroup, { id: String(group.id) }));
    const making = projects.ask(ann, createProject, { path: 'tool', namespace_id: group.id });
    expect((await refusal(making)).code).toBe('project.namespace_not_valid');
    expect(await part(Projects).model.exists({ namespaceId: group.id })).toBeNull();
    const fullPath = `${group.path}/tool`;
    expect(projects.events(projectDeleted).some(({ data }) => data.full_path === fullPath)).toBe(true);
    const attributes = { name: 'Sub', path: 'sub', description: '', visibility: 'private', creatorId: ann.id } as const;
    const writing = part(WriteGroup).write({ ...attributes, parent: asItWas, settings: asItWas.settings });
    expect((await refusal(writing)).code).toBe('common.not_found');
    expect(await part(Namespaces).model.exists({ parentId: group.id, isDeleting: false })).toBeNull();
  });
});
