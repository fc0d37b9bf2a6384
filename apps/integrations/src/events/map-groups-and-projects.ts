import {
  type GroupRef,
  groupChanged,
  groupDeleted,
  memberChanged,
  type ProjectRef,
  projectChanged,
  projectDeleted,
} from '@moothall/contracts';
import { type EventMapper, mapEvent, ofGroups, ofInstance, once, timesOf } from './event-mapper';
import type { Facts } from './facts';
import type { Payload } from './occurrence';

const projectWords = {
  created: 'project_create',
  updated: 'project_update',
  renamed: 'project_rename',
  transferred: 'project_transfer',
};

/** v4 hooks have no other events of groups. */
const groupWords: Partial<Record<string, string>> = { created: 'group_create', renamed: 'group_rename' };

const levelWords: Readonly<Record<number, string>> = {
  0: 'No access',
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/**
 * Projects, groups and members for system hooks; created and deleted ones also for hooks of the groups
 * above.
 */
export const groupAndProjectMappers: readonly EventMapper[] = [
  mapEvent(projectChanged, async (event, facts) => {
    const { project_id, change, before } = event.data;
    const project = await facts.project(project_id);
    if (!project) return [];
    const payload = once(async () => ({
      event_name: projectWords[change],
      ...timesOf(event, project.createdAt),
      ...(await viewProject(facts, project)),
      ...(before?.full_path !== undefined && { old_path_with_namespace: before.full_path }),
    }));
    const occurrence = ofInstance(event, payload);
    return change === 'created'
      ? [occurrence, ofGroups(event, project.groupIds, 'project_events', payload)]
      : [occurrence];
  }),

  mapEvent(projectDeleted, async (event, facts) => {
    const { project_id, full_path, name, visibility, namespace_id, group_ids, owner_id } = event.data;
    const payload = once(async () => ({
      event_name: 'project_destroy',
      ...timesOf(event),
      name: name ?? lastOf(full_path),
      path: lastOf(full_path),
      path_with_namespace: full_path,
      project_id,
      project_namespace_id: namespace_id ?? null,
      ...(await ownerOf(facts, owner_id)),
      project_visibility: visibility ?? null,
    }));
    return [ofInstance(event, payload), ofGroups(event, group_ids ?? [], 'project_events', payload)];
  }),

  mapEvent(groupChanged, async (event, facts) => {
    const { group_id, change, before } = event.data;
    const word = groupWords[change];
    const group = word === undefined ? null : await facts.group(group_id);
    if (!group) return [];
    const old = before?.full_path;
    const payload = async () => ({
      event_name: word,
      ...timesOf(event, group.createdAt),
      ...viewGroup(group_id, group.name, group.fullPath),
      ...(old !== undefined && { old_path: lastOf(old), old_full_path: old }),
    });
    const occurrence = ofInstance(event, payload);
    if (change !== 'created') return [occurrence];
    const asSubgroup = async () => subgroup(facts, group.ancestorIds, await payload());
    return [occurrence, ofGroups(event, group.ancestorIds, 'subgroup_events', asSubgroup)];
  }),

  mapEvent(groupDeleted, async (event, facts) => {
    const { group_id, full_path, name, ancestor_ids = [] } = event.data;
    const payload = async () => ({
      event_name: 'group_destroy',
      ...timesOf(event),
      ...viewGroup(group_id, name ?? lastOf(full_path), full_path),
    });
    const asSubgroup = async () => subgroup(facts, ancestor_ids, await payload());
    return [ofInstance(event, payload), ofGroups(event, ancestor_ids, 'subgroup_events', asSubgroup)];
  }),

  mapEvent(memberChanged, async (event, facts) => {
    const { source_type, source_id, user_id, access_level, expires_at, before } = event.data;
    const place = source_type === 'project' ? await facts.project(source_id) : await facts.group(source_id);
    if (!place) return [];
    const level = access_level ?? before?.access_level;
    const payload = once(async () => {
      const user = await facts.user(user_id);
      return {
        event_name: memberWord(event.data),
        ...timesOf(event),
        user_id,
        user_name: user?.name ?? null,
        user_username: user?.username ?? null,
        user_email: user?.email ?? null,
        ...viewSource(place, level === undefined ? null : (levelWords[level] ?? null)),
      };
    });
    const occurrence = ofInstance(event, payload);
    if (!('ancestorIds' in place)) return [occurrence];
    const asMember = async () => ({ ...(await payload()), group_plan: null, expires_at: expires_at ?? null });
    return [occurrence, ofGroups(event, [place.id, ...place.ancestorIds], 'member_events', asMember)];
  }),
];

type MemberFacts = { source_type: 'project' | 'group'; action?: string | undefined; access_level: number | null };

function memberWord({ source_type, action, access_level }: MemberFacts): string {
  const verb = access_level === null ? 'remove_from' : action === 'update' ? 'update_for' : 'add_to';
  return `user_${verb}_${source_type === 'project' ? 'team' : 'group'}`;
}

const viewSource = (place: ProjectRef | GroupRef, level: string | null): Payload =>
  'nameWithNamespace' in place
    ? {
        project_name: place.name,
        project_path: place.path,
        project_path_with_namespace: place.fullPath,
        project_id: place.id,
        project_visibility: place.visibility,
        access_level: level,
      }
    : { group_name: place.name, group_path: place.path, group_id: place.id, group_access: level };

/** Groups have several owners, so none is named. */
const viewGroup = (group_id: number, name: string, full_path: string): Payload => ({
  name,
  path: lastOf(full_path),
  full_path,
  group_id,
  owner_name: null,
  owner_email: null,
});

/** The payload for hooks of the groups above, with the parent group. */
async function subgroup(facts: Facts, ancestorIds: readonly number[], occurrence: Payload): Promise<Payload> {
  const [parentId = null] = ancestorIds;
  const parent = parentId === null ? null : await facts.group(parentId);
  return {
    ...occurrence,
    event_name: `${occurrence.event_name}`.replace('group', 'subgroup'),
    parent_group_id: parentId,
    parent_name: parent?.name ?? null,
    parent_path: parent?.path ?? null,
    parent_full_path: parent?.fullPath ?? null,
  };
}

const lastOf = (fullPath: string): string => fullPath.slice(fullPath.lastIndexOf('/') + 1);

async function viewProject(facts: Facts, project: ProjectRef): Promise<Payload> {
  return {
    name: project.name,
    path: project.path,
    path_with_namespace: project.fullPath,
    project_id: project.id,
    project_namespace_id: project.namespaceId,
    ...(await ownerOf(facts, project.ownerId ?? project.creatorId)),
    project_visibility: project.visibility,
  };
}

async function ownerOf(facts: Facts, id: number | undefined): Promise<Payload> {
  const owner = await facts.user(id ?? null);
  return { owner_name: owner?.name ?? null, owner_email: owner?.email ?? null };
}
