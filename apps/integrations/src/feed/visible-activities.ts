import {
  type Ability,
  Access,
  type Caller,
  type Feature,
  isFeatureOpen,
  isReadable,
  type ProjectRef,
  planning,
  reaches,
} from '@moothall/contracts';
import type { QueryFilter } from 'mongoose';
import type { ActivityDocument, Room } from './activity.schema';

type Filter = QueryFilter<ActivityDocument>;
export type SeenProject = Pick<ProjectRef, 'id' | 'visibility' | 'accessLevel' | 'abilities' | 'features'>;

const featuresOf: Record<Room, readonly Feature[]> = {
  issues: ['issues'],
  merge_requests: ['merge_requests'],
  milestones: planning,
  repository: ['repository'],
  wiki: ['wiki'],
  project: [],
};
const rooms = Object.keys(featuresOf) as Room[];
/** Content that guests of a private project may not read without an ability. See docs/api/access.md#5. */
const opening: Partial<Record<Room, Ability>> = { merge_requests: 'admin_merge_request', repository: 'read_code' };

function isOpen(room: Room, project: SeenProject): boolean {
  const ability = opening[room];
  if (ability && project.visibility === 'private' && !reaches(project, Access.Reporter, ability)) return false;
  const features = featuresOf[room];
  return features.length === 0 || features.some((feature) => isFeatureOpen(project, feature));
}

/** Filters activities by what the caller may see. See docs/api/events.md#4. */
export function visibleIn(projects: readonly SeenProject[], caller: Caller | undefined): Filter {
  const readable = projects.filter((project) => isReadable(project, caller));
  const parts = rooms.flatMap((room): Filter[] => {
    const ids = readable.filter((project) => isOpen(room, project)).map(({ id }) => id);
    return ids.length > 0 ? [{ room, projectId: { $in: ids } }] : [];
  });
  if (parts.length === 0) return { _id: { $in: [] } };
  const trusted = readable.filter(({ accessLevel }) => accessLevel >= Access.Reporter).map(({ id }) => id);
  const filters: Filter[] = [
    { confidential: false, isInternal: false },
    ...(trusted.length > 0 ? [{ projectId: { $in: trusted } }] : []),
    ...(caller ? [{ insiderIds: caller.id }, { authorId: caller.id }] : []),
  ];
  return caller?.isAdmin ? { $or: parts } : { $and: [{ $or: parts }, { $or: filters }] };
}
