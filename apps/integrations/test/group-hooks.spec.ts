import {
  createGroupHook,
  type GroupRef,
  getGroupHookEvent,
  groupChanged,
  groupDeleted,
  listGroupHookEvents,
  memberChanged,
  projectChanged,
  projectDeleted,
  pushReceived,
  testGroupHook,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually } from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';
import type { Receiver } from './receiver';

/* Hooks of groups receive events of projects below, and of created and deleted ones. */

let started: Awaited<ReturnType<typeof startWithReceiver>>;
let receiver: Receiver;
beforeAll(async () => {
  started = await startWithReceiver();
  receiver = started.receiver;
});
afterAll(() => started?.stop());

const hookOf = (group: GroupRef, path: string, given: object) =>
  started.bed.call(
    createGroupHook,
    { id: String(group.id), url: receiver.url(path), push_events: false, ...given },
    contextOf({ caller: callerNamed('ada'), group }),
  );

/** Requests of a receiver, once there are that many. */
const toldAt = async (path: string, count: number) => {
  await eventually(async () => receiver.at(path).length >= count, `deliveries to ${path}`);
  return receiver.at(path).map(({ headers, body }) => ({ header: headers['x-gitlab-event'], ...body }));
};

function twoGroups() {
  const top = started.bed.group();
  const below = started.bed.group({
    fullPath: `${top.fullPath}/below`,
    path: 'below',
    parentId: top.id,
    ancestorIds: [top.id],
  });
  return { top, below };
}

it('receive created and deleted projects below, and no other change', async () => {
  const { top, below } = twoGroups();
  await hookOf(top, '/projects', { project_events: true });
  const project = started.bed.project({ groupIds: [below.id, top.id] });
  const changed = { project_id: project.id, full_path: project.fullPath };
  await started.bed.emit(projectChanged, { ...changed, change: 'created' });
  await started.bed.emit(projectChanged, { ...changed, change: 'updated' });
  await started.bed.emit(projectDeleted, { ...changed, storage: 'default', group_ids: [below.id, top.id] });
  expect(await toldAt('/projects', 2)).toMatchObject([
    { header: 'Project Hook', event_name: 'project_create', project_id: project.id },
    { header: 'Project Hook', event_name: 'project_destroy', path_with_namespace: project.fullPath },
  ]);
});

it('receive created and deleted groups below', async () => {
  const { top, below } = twoGroups();
  await hookOf(top, '/subgroups', { subgroup_events: true });
  await hookOf(below, '/its-own', { subgroup_events: true });
  const changed = { group_id: below.id, full_path: below.fullPath };
  await started.bed.emit(groupChanged, { ...changed, change: 'created' });
  await started.bed.emit(groupDeleted, { ...changed, ancestor_ids: [top.id] });
  const parent = { group_id: below.id, parent_group_id: top.id, parent_full_path: top.fullPath };
  expect(await toldAt('/subgroups', 2)).toMatchObject([
    { header: 'Subgroup Hook', event_name: 'subgroup_create', full_path: below.fullPath, ...parent },
    { header: 'Subgroup Hook', event_name: 'subgroup_destroy', full_path: below.fullPath, ...parent },
  ]);
  expect(receiver.at('/its-own')).toEqual([]);
});

it('receive members of the group and of groups below, and not of projects', async () => {
  const { top, below } = twoGroups();
  await hookOf(top, '/members', { member_events: true });
  await hookOf(below, '/members-below', { member_events: true });
  const project = started.bed.project({ groupIds: [below.id, top.id] });
  const member = { user_id: 7, access_level: 30, action: 'add' } as const;
  await started.bed.emit(memberChanged, { ...member, source_type: 'project', source_id: project.id });
  await started.bed.emit(memberChanged, { ...member, source_type: 'group', source_id: top.id });
  await started.bed.emit(memberChanged, {
    ...{ ...member, access_level: null, action: 'remove', before: { access_level: 30 } },
    ...{ source_type: 'group', source_id: below.id, expires_at: '2030-01-01' },
  });
  const removed = { header: 'Member Hook', event_name: 'user_remove_from_group', group_access: 'Developer' };
  expect(await toldAt('/members', 2)).toMatchObject([
    { header: 'Member Hook', event_name: 'user_add_to_group', group_id: top.id, expires_at: null },
    { ...removed, group_id: below.id, group_plan: null, expires_at: '2030-01-01', user_username: 'user-7' },
  ]);
  expect(await toldAt('/members-below', 1)).toMatchObject([removed]);
});

it('receive pushes to projects below', async () => {
  const { top, below } = twoGroups();
  await hookOf(top, '/pushes', { push_events: true });
  const project = started.bed.project({ groupIds: [below.id, top.id] });
  await started.bed.emit(pushReceived, started.bed.push(project, 1));
  await started.bed.emit(pushReceived, started.bed.push(project, 2, { ref: 'refs/heads/stable' }));
  expect(await toldAt('/pushes', 2)).toMatchObject([
    { header: 'Push Hook', project_id: project.id, ref_protected: false },
    { header: 'Push Hook', project_id: project.id, ref_protected: true },
  ]);
});

it('have deliveries that are read one by one, of their group only', async () => {
  const { top, below } = twoGroups();
  const { id: hook_id } = await hookOf(top, '/one', {});
  const contextIn = (group: GroupRef) => contextOf({ caller: callerNamed('ada'), group });
  const at = { id: String(top.id), hook_id };
  await started.bed.call(testGroupHook, { ...at, trigger: 'member_events' }, contextIn(top));
  const { items } = await started.bed.call(listGroupHookEvents, at, contextIn(top));
  const hook_event_id = items[0]!.id;
  const read = (group: GroupRef) =>
    started.bed.call(getGroupHookEvent, { ...at, id: String(group.id), hook_event_id }, contextIn(group));
  expect(await read(top)).toEqual(items[0]);
  await expect(read(below)).rejects.toMatchObject({ code: 'hook.not_found' });
});
