import {
  Access,
  type AccessLevel,
  type Caller,
  commonErrors,
  createLfsLock,
  deleteLfsLock,
  expectLfsLocks,
  lfsLocksOfOthers,
  listLfsLocks,
  type ProjectRef,
  projectDeleted,
  userDeleted,
  verifyLfsLocks,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually, shareBetweenTests } from '@moothall/testing';
import { startDeliveryService } from './delivery-under-test';

const delivery = shareBetweenTests(startDeliveryService);

const ada = callerNamed('ada');
const bob = callerNamed('bob');

function as(project: ProjectRef, caller: Caller, level: AccessLevel = Access.Developer) {
  return { ...delivery.bed.as(project, level, caller), caller, project: { ...project, accessLevel: level } };
}
const lock = (project: ProjectRef, path: string, caller = ada) =>
  delivery.bed.call(createLfsLock, { path }, as(project, caller));
const unlock = (project: ProjectRef, id: string, caller: Caller, level?: AccessLevel, force = false) =>
  delivery.bed.call(deleteLfsLock, { lock_id: Number(id), force }, as(project, caller, level));
const pathsOf = async (project: ProjectRef, asked: object = {}) =>
  (await delivery.bed.call(listLfsLocks, asked, as(project, ada))).locks.map(({ path }) => path);

it('has a path once, and names its owner', async () => {
  const project = delivery.bed.project();
  const { lock: own, is_new } = await lock(project, 'dir/a.bin');
  expect([own.path, own.owner, is_new]).toEqual(['dir/a.bin', { name: `User ${ada.id}` }, true]);
  expect(await lock(project, 'dir/a.bin', bob)).toEqual({ lock: own, is_new: false });
  expect((await lock(delivery.bed.project(), 'dir/a.bin', bob)).is_new).toBe(true);
});

it('does not exist while pushes are not checked against it', async () => {
  const project = delivery.bed.project();
  delivery.bed.under.respond(expectLfsLocks, () => commonErrors.unavailable());
  await expect(lock(project, 'a')).rejects.toMatchObject({ value: { code: 'common.unavailable' } });
  const listed: number[] = [];
  delivery.bed.under.respond(expectLfsLocks, ({ project_id }) => void listed.push(project_id));
  expect(await pathsOf(project)).toEqual([]);
  await lock(project, 'a');
  expect(listed).toEqual([project.id]);
});

it('is created once under concurrent requests', async () => {
  const project = delivery.bed.project();
  const taken = await Promise.all(Array.from({ length: 12 }, (_, at) => lock(project, 'a', at % 2 ? ada : bob)));
  expect(taken.filter(({ is_new }) => is_new)).toHaveLength(1);
  expect(new Set(taken.map(({ lock: { id } }) => id)).size).toBe(1);
});

it('is deleted by its owner, and by maintainers with force', async () => {
  const project = delivery.bed.project();
  const { id } = (await lock(project, 'a')).lock;
  const refused = (caller: Caller, level: AccessLevel, force: boolean, code: string) =>
    expect(unlock(project, id, caller, level, force)).rejects.toMatchObject({ code });
  await refused(bob, Access.Developer, false, 'lfs.lock_of_another');
  await refused(bob, Access.Developer, true, 'lfs.force_refused');
  await refused(bob, Access.Maintainer, false, 'lfs.lock_of_another');
  expect((await unlock(project, id, bob, Access.Maintainer, true)).lock.path).toBe('a');
  await refused(ada, Access.Developer, false, 'lfs.lock_not_found');
  const again = (await lock(project, 'a')).lock;
  await unlock(project, again.id, ada);
  expect(await pathsOf(project)).toEqual([]);
});

it('of another project is not found', async () => {
  const { id } = (await lock(delivery.bed.project(), 'a')).lock;
  await expect(unlock(delivery.bed.project(), id, ada, Access.Owner, true)).rejects.toMatchObject({
    code: 'lfs.lock_not_found',
  });
});

it('is listed page by page, divided by owner', async () => {
  const { bed } = delivery;
  const project = bed.project();
  for (const at of [1, 2, 3, 4, 5]) await lock(project, `f${at}`, at % 2 ? ada : bob);
  const first = await bed.call(listLfsLocks, { limit: 3 }, as(project, ada));
  expect(first.locks.map(({ path }) => path)).toEqual(['f1', 'f2', 'f3']);
  expect(await pathsOf(project, { cursor: Number(first.next_cursor), limit: 3 })).toEqual(['f4', 'f5']);
  expect(await pathsOf(project, { path: 'f2' })).toEqual(['f2']);
  expect(await pathsOf(project, { id: Number(first.locks[1]!.id) })).toEqual(['f2']);
  const listed = await bed.call(verifyLfsLocks, {}, as(project, bob));
  expect([listed.ours.map(({ path }) => path), listed.theirs.length, listed.next_cursor]).toEqual([
    ['f2', 'f4'],
    3,
    undefined,
  ]);
  const byKey = await bed.call(verifyLfsLocks, {}, contextOf({ project }));
  expect([byKey.ours.length, byKey.theirs.length]).toEqual([0, 5]);
});

it('belongs to users only, and does not exist in archived projects', async () => {
  const project = delivery.bed.project();
  await expect(lock(project, 'a', { ...ada, id: -1 })).rejects.toMatchObject({ code: 'common.forbidden' });
  await expect(lock({ ...project, isArchived: true }, 'a')).rejects.toMatchObject({ code: 'common.forbidden' });
});

it('is deleted with its project, also concurrently, and with its owner', async () => {
  const { bed, under } = delivery;
  const [project, other] = [bed.project(), bed.project()];
  const leaving = callerNamed('leaving');
  await lock(project, 'a');
  await lock(other, 'theirs', leaving);
  await lock(other, 'b');
  const { id: project_id, fullPath: full_path, storage } = project;
  await under.emit(projectDeleted, { project_id, full_path, storage });
  await under.emit(userDeleted, {
    user_id: leaving.id,
    username: 'leaving',
    hard_delete: false,
    ghost_user_id: ada.id,
  });
  await eventually(async () => (await pathsOf(project)).length === 0, 'the end of the project');
  await eventually(async () => (await pathsOf(other)).join() === 'b', 'the end of the user');
  bed.removeProject(other);
  await expect(lock(other, 'c')).rejects.toMatchObject({ code: 'project.not_found' });
  expect(await pathsOf(other)).toEqual([]);
});

it('is returned to callers who change files, except their own', async () => {
  const project = delivery.bed.project();
  await lock(project, 'a', ada);
  await lock(project, 'b', bob);
  const ofOthers = (over: object) =>
    delivery.bed.call(lfsLocksOfOthers, { project_id: project.id, ...over }, contextOf({}));
  expect(await ofOthers({ user_id: ada.id })).toEqual([{ path: 'b', username: expect.any(String) }]);
  expect(await ofOthers({ user_id: ada.id, paths: ['a'] })).toEqual([]);
  expect((await ofOthers({ paths: ['a', 'b', 'c'] })).map(({ path }) => path).sort()).toEqual(['a', 'b']);
});
