import { z } from 'zod';
import { CustomAttribute } from '../identity/user-view';
import {
  Access,
  anyone,
  avatarLimit,
  commaList,
  del,
  errors,
  get,
  groupRef,
  hash,
  id,
  onGroup,
  operation,
  page,
  post,
  put,
  signedIn,
  someChangeOf,
  time,
  uploadedFile,
} from '../operation';
import { Accepted, Project, SharedWithGroup } from './project';
import { groupSettings, visibility } from './settings';

/** A group in lists. See docs/api/groups.md#1. */
export const Group = z.object({
  id,
  web_url: z.string(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  visibility,
  ...groupSettings,
  avatar_url: z.string().nullable(),
  full_name: z.string(),
  full_path: z.string(),
  created_at: time,
  updated_at: time,
  emails_enabled: z.boolean(),
  parent_id: id.nullable(),
  custom_attributes: z.array(CustomAttribute).optional().describe('For administrators who ask for them'),
});
export type Group = z.infer<typeof Group>;

export const GroupDetail = Group.extend({
  shared_with_groups: z.array(SharedWithGroup),
  runners_token: z.string().optional().describe('For owners'),
  projects: z.array(Project).optional(),
  shared_projects: z.array(Project).optional(),
});
export type GroupDetail = z.infer<typeof GroupDetail>;

export const groupErrors = errors('group', {
  notFound: { status: 404, message: '404 Group Not Found', means: 'No such group, or none the caller may see.' },
  notSaved: { status: 400, message: 'Failed to save group', means: 'The group breaks a rule; the text names it.' },
});

const attributes = {
  description: z.string().nullable().optional(),
  visibility: visibility.optional(),
  avatar: z.union([uploadedFile(avatarLimit), z.literal('')]).optional(),
  ...z.object(groupSettings).partial().shape,
  emails_enabled: z.boolean().optional(),
};

export const createGroup = operation({
  name: 'projects.groups.create',
  summary: 'Create a group',
  description:
    'Below `parent_id`, or at the top level. The caller becomes its owner. Some settings are only stored and returned: their descriptions say so.',
  refusals: ['group.not_saved'],
  http: post('/groups'),
  access: signedIn(),
  input: z.object({ ...attributes, name: z.string(), path: z.string(), parent_id: id.nullable().optional() }),
  output: GroupDetail,
});

const filters = {
  skip_groups: commaList(id).optional(),
  all_available: z.boolean().optional(),
  search: z.string().optional(),
  order_by: z.enum(['name', 'path', 'id']).default('name'),
  sort: z.enum(['asc', 'desc']).default('asc'),
  visibility: visibility.optional(),
  owned: z.boolean().default(false),
  min_access_level: z.int().optional(),
  with_custom_attributes: z.boolean().default(false),
  custom_attributes: hash.optional(),
};

export const listGroups = operation({
  name: 'projects.groups.list',
  summary: 'Groups that the caller sees',
  description: 'Public ones for callers without a credential.',
  http: get('/groups'),
  access: anyone(),
  input: z.object({ ...filters, top_level_only: z.boolean().default(false) }),
  output: page(Group),
});

export const listSubgroups = operation({
  name: 'projects.groups.list-subgroups',
  summary: 'Groups right below a group',
  http: get('/groups/:id/subgroups'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, ...filters }),
  output: page(Group),
});

export const listDescendantGroups = operation({
  name: 'projects.groups.list-descendants',
  summary: 'Groups below a group, at any depth',
  http: get('/groups/:id/descendant_groups'),
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, ...filters }),
  output: page(Group),
});

export const getGroup = operation({
  name: 'projects.groups.get',
  summary: 'One group',
  http: get('/groups/:id'),
  access: onGroup({ anonymous: true }),
  input: z.object({
    ...groupRef,
    with_projects: z.boolean().default(true),
    with_custom_attributes: z.boolean().default(false),
  }),
  output: GroupDetail,
});

export const updateGroup = operation({
  name: 'projects.groups.update',
  summary: 'Change a group',
  refusals: ['group.not_saved'],
  // As @gitbeaker/rest sends an update with an avatar.
  http: [put('/groups/:id'), post('/groups/:id', { success: 200, deprecated: true })],
  access: onGroup({ level: Access.Owner }),
  input: z
    .object({ ...groupRef, ...attributes, name: z.string().optional(), path: z.string().optional() })
    .refine(...someChangeOf('name', 'path', ...Object.keys(attributes))),
  output: GroupDetail,
  timeoutSeconds: 120,
});

export const deleteGroup = operation({
  name: 'projects.groups.delete',
  summary: 'Delete a group with all groups and projects below it',
  description: 'Invisible immediately; its content is removed in the background.',
  http: del('/groups/:id', { success: 202 }),
  access: onGroup({ level: Access.Owner, ability: 'remove_group' }),
  input: z.object(groupRef),
  output: Accepted,
});

/** The fields of a group for a selection. */
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
