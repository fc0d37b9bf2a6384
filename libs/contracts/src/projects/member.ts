import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  Access,
  commaList,
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
  put,
  time,
} from '../operation';

/** A membership, direct or inherited. Source: clarifications C.3. */
export const Member = UserSummary.extend({
  access_level: z.int(),
  created_at: time,
  expires_at: z.string().nullable().describe('Day on which the membership ends'),
});
export type Member = z.infer<typeof Member>;

export const memberErrors = errors('member', {
  exists: { status: 409, message: 'Member already exists', means: 'The user is a direct member already.' },
  levelNotListed: {
    status: 400,
    message: { access_level: ['is not included in the list'] },
    means: 'No such level here: 10, 20, 30, 40, and 50 in groups.',
  },
  lastOwner: {
    status: 403,
    message: '403 Forbidden - The last owner of a group cannot leave it.',
    means: 'A group has at least one owner.',
  },
});

const list = { query: z.string().optional(), user_ids: commaList(id).optional() };
const member = { user_id: id };
const addition = { user_id: commaList(id), access_level: z.int(), expires_at: date.nullable().optional() };
const change = { ...member, access_level: z.int(), expires_at: date.nullable().optional() };
const removal = {
  ...member,
  skip_subresources: z.boolean().default(false),
  unassign_issuables: z.boolean().default(false),
};

/** One member for one user, a status for several. */
const Added = z.union([Member, z.object({ status: z.string(), message: z.record(z.string(), z.string()).optional() })]);

export const listProjectMembers = operation({
  name: 'projects.project-members.list',
  http: get('/projects/:id/members'),
  access: onProject(),
  input: z.object({ ...projectRef, ...list }),
  output: page(Member),
});

/** Direct and inherited members, each with the highest level. */
export const listAllProjectMembers = operation({
  name: 'projects.project-members.list-all',
  http: get('/projects/:id/members/all'),
  access: onProject(),
  input: z.object({ ...projectRef, ...list }),
  output: page(Member),
});

export const getProjectMember = operation({
  name: 'projects.project-members.get',
  http: get('/projects/:id/members/:user_id'),
  access: onProject(),
  input: z.object({ ...projectRef, ...member }),
  output: Member,
});

export const getAnyProjectMember = operation({
  name: 'projects.project-members.get-any',
  http: get('/projects/:id/members/all/:user_id'),
  access: onProject(),
  input: z.object({ ...projectRef, ...member }),
  output: Member,
});

export const addProjectMember = operation({
  name: 'projects.project-members.add',
  http: post('/projects/:id/members'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...addition }),
  output: Added,
});

export const updateProjectMember = operation({
  name: 'projects.project-members.update',
  http: put('/projects/:id/members/:user_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, ...change }),
  output: Member,
});

/** For maintainers, and for members who leave. */
export const removeProjectMember = operation({
  name: 'projects.project-members.remove',
  http: del('/projects/:id/members/:user_id'),
  access: onProject(),
  input: z.object({ ...projectRef, ...removal }),
  output: nothing(),
});

/** Makes the direct members of another project members here; whoever is one already stays as they are. */
export const importProjectMembers = operation({
  name: 'projects.project-members.import',
  http: post('/projects/:id/import_project_members/:source_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, source_id: z.string().describe('Id or URL-encoded path of the other project') }),
  output: z.object({ status: z.string() }),
});

export const listGroupMembers = operation({
  name: 'projects.group-members.list',
  http: get('/groups/:id/members'),
  access: onGroup(),
  input: z.object({ ...groupRef, ...list }),
  output: page(Member),
});

export const listAllGroupMembers = operation({
  name: 'projects.group-members.list-all',
  http: get('/groups/:id/members/all'),
  access: onGroup(),
  input: z.object({ ...groupRef, ...list }),
  output: page(Member),
});

export const getGroupMember = operation({
  name: 'projects.group-members.get',
  http: get('/groups/:id/members/:user_id'),
  access: onGroup(),
  input: z.object({ ...groupRef, ...member }),
  output: Member,
});

export const getAnyGroupMember = operation({
  name: 'projects.group-members.get-any',
  http: get('/groups/:id/members/all/:user_id'),
  access: onGroup(),
  input: z.object({ ...groupRef, ...member }),
  output: Member,
});

export const addGroupMember = operation({
  name: 'projects.group-members.add',
  http: post('/groups/:id/members'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...addition }),
  output: Added,
});

export const updateGroupMember = operation({
  name: 'projects.group-members.update',
  http: put('/groups/:id/members/:user_id'),
  access: onGroup({ level: Access.Owner }),
  input: z.object({ ...groupRef, ...change }),
  output: Member,
});

/** For owners, and for members who leave. */
export const removeGroupMember = operation({
  name: 'projects.group-members.remove',
  http: del('/groups/:id/members/:user_id'),
  access: onGroup(),
  input: z.object({ ...groupRef, ...removal }),
  output: nothing(),
});
