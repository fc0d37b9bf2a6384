import { z } from 'zod';
import {
  Access,
  date,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
} from '../operation';
import { GroupChoice, GroupDetail } from './group';

/** A project's share with a group. */
const ProjectShare = z.object({
  id,
  project_id: id,
  group_id: id,
  group_access: z.int(),
  expires_at: z.string().nullable(),
});

export const shareErrors = errors('share', {
  notFound: { status: 404, message: '404 Not Found', means: 'It is not shared with that group.' },
  exists: {
    status: 409,
    message: { group: ['is already shared with this group'] },
    means: 'It is shared with that group already.',
  },
  locked: {
    status: 403,
    message: '403 Forbidden - Sharing with groups is switched off.',
    means: 'A group above forbids that its projects are shared with other groups.',
  },
});

const share = {
  group_id: id,
  group_access: z.int(),
  expires_at: date.nullable().optional(),
};

export const shareProject = operation({
  name: 'projects.project-shares.create',
  summary: 'Share a project with a group',
  description: 'Each up to the level given.',
  refusals: ['share.exists', 'share.locked'],
  http: post('/projects/:id/share'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...share }),
  output: ProjectShare,
});

export const unshareProject = operation({
  name: 'projects.project-shares.delete',
  summary: 'Stop sharing a project with a group',
  refusals: ['share.not_found'],
  http: del('/projects/:id/share/:group_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, group_id: id }),
  output: nothing(),
});

export const shareGroup = operation({
  name: 'projects.group-shares.create',
  summary: 'Share a group with a group',
  description: 'And into all below it, each up to the level given.',
  refusals: ['share.exists'],
  http: post('/groups/:id/share'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...share }),
  output: GroupDetail,
});

export const unshareGroup = operation({
  name: 'projects.group-shares.delete',
  summary: 'Stop sharing a group with a group',
  refusals: ['share.not_found'],
  http: del('/groups/:id/share/:group_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, group_id: id }),
  output: nothing(),
});

const search = z.string().optional();

export const listProjectGroups = operation({
  name: 'projects.projects.list-groups',
  summary: 'Groups that a project is in',
  description: 'Nearest last, only groups that the caller may see; with shared groups on request.',
  http: get('/projects/:id/groups'),
  access: onProject({ anonymous: true }),
  input: z.object({
    ...projectRef,
    search,
    skip_groups: z.array(id).optional(),
    with_shared: z.boolean().default(false),
    shared_visible_only: z.boolean().default(false),
    shared_min_access_level: z.int().optional(),
  }),
  output: page(GroupChoice),
});

export const listInvitedGroups = operation({
  name: 'projects.projects.list-invited-groups',
  summary: 'Groups that a project is shared with',
  description: 'Only those that the caller may see.',
  http: get('/projects/:id/invited_groups'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, search, min_access_level: z.int().optional() }),
  output: page(GroupChoice),
});

export const listShareLocations = operation({
  name: 'projects.projects.list-share-locations',
  summary: 'Groups that a project could be shared with',
  description: 'Groups that the caller may see and that it is not shared with.',
  http: get('/projects/:id/share_locations'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, search }),
  output: page(GroupChoice),
});
