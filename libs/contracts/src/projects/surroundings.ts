import { z } from 'zod';
import { Access, get, groupRef, id, onGroup, onProject, operation, page, projectRef } from '../operation';
import { Group } from './group';

/** A group as far as it is needed to choose one. */
export const GroupChoice = Group.pick({
  id: true,
  web_url: true,
  name: true,
  avatar_url: true,
  full_name: true,
}).extend({
  full_path: z.string(),
});
export type GroupChoice = z.infer<typeof GroupChoice>;

const search = z.string().optional();

export const listProjectGroups = operation({
  name: 'projects.projects.list-groups',
  summary: 'Groups that a project is in',
  description: 'Nearest last, as far as the caller sees them; those it is shared with on request.',
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
  description: 'As far as the caller sees them.',
  http: get('/projects/:id/invited_groups'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, search, min_access_level: z.int().optional() }),
  output: page(GroupChoice),
});

export const listShareLocations = operation({
  name: 'projects.projects.list-share-locations',
  summary: 'Groups that a project could be shared with',
  description: 'Those that the caller sees and that have no share of it.',
  http: get('/projects/:id/share_locations'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, search }),
  output: page(GroupChoice),
});

export const listProjectTransferLocations = operation({
  name: 'projects.projects.list-transfer-locations',
  summary: 'Groups that a project could be moved to',
  description: 'Those in which the caller creates projects.',
  http: get('/projects/:id/transfer_locations'),
  access: onProject({ level: Access.Owner }),
  input: z.object({ ...projectRef, search }),
  output: page(GroupChoice),
});

export const listGroupTransferLocations = operation({
  name: 'projects.groups.list-transfer-locations',
  summary: 'Groups that a group could be moved to',
  description: 'Those in which the caller creates groups, and that are not below it.',
  http: get('/groups/:id/transfer_locations'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, search }),
  output: page(GroupChoice),
});
