import { z } from 'zod';
import { UserSummary } from '../identity/user';
import {
  type Ability,
  Access,
  type AccessLevel,
  administrator,
  commaList,
  date,
  del,
  errors,
  get,
  id,
  nothing,
  ofGroups,
  ofProjects,
  onProject,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  projectRef,
  put,
  time,
} from '../operation';
import { MemberRole } from './member-role';

/** A membership, direct or inherited. See docs/api/members.md#1. */
export const Member = UserSummary.extend({
  access_level: z.int(),
  created_at: time,
  expires_at: z.string().nullable().describe('Day on which the membership ends'),
  member_role: MemberRole.optional().describe('The custom role of the membership'),
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
const membership = {
  access_level: z.int(),
  expires_at: date.nullable().optional(),
  member_role_id: id.nullish().describe('A member role with that base level'),
};
const addition = { user_id: commaList(id), ...membership };
const change = { ...member, ...membership };
const removal = {
  ...member,
  skip_subresources: z.boolean().default(false),
  unassign_issuables: z.boolean().default(false),
};

/** One member for one user, a status for several. */
const Added = z.union([Member, z.object({ status: z.string(), message: z.record(z.string(), z.string()).optional() })]);

const roleRefusals = [
  'member_role.not_found',
  'member_role.other_base',
  "common.forbidden for a role with more than the caller's level and roles have",
];

/** @param rule from which level on, or by which ability, members are added and changed */
function membersOf<R extends ParentRule>(
  { kind, path, ref, on }: Parent<R>,
  rule: { level: AccessLevel; ability?: Ability },
) {
  return {
    list: operation({
      name: `projects.${kind}-members.list`,
      summary: `Direct members of a ${kind}`,
      http: get(`${path}/members`),
      access: on(),
      input: z.object({ ...ref, ...list }),
      output: page(Member),
    }),
    listAll: operation({
      name: `projects.${kind}-members.list-all`,
      summary: `Members of a ${kind}, direct and inherited`,
      description: 'Each with the highest level.',
      http: get(`${path}/members/all`),
      access: on(),
      input: z.object({ ...ref, ...list }),
      output: page(Member),
    }),
    get: operation({
      name: `projects.${kind}-members.get`,
      summary: `One direct member of a ${kind}`,
      refusals: ['common.not_found'],
      http: get(`${path}/members/:user_id`),
      access: on(),
      input: z.object({ ...ref, ...member }),
      output: Member,
    }),
    getAny: operation({
      name: `projects.${kind}-members.get-any`,
      summary: `One member of a ${kind}, direct or inherited`,
      refusals: ['common.not_found'],
      http: get(`${path}/members/all/:user_id`),
      access: on(),
      input: z.object({ ...ref, ...member }),
      output: Member,
    }),
    add: operation({
      name: `projects.${kind}-members.add`,
      summary: `Add members to a ${kind}`,
      description:
        'One id, or several separated by commas: the answer is a member for one, a status for several. Callers cannot grant a higher level than their own.',
      refusals: ['member.exists', 'member.level_not_listed', ...roleRefusals],
      http: post(`${path}/members`),
      access: on(rule),
      input: z.object({ ...ref, ...addition }),
      output: Added,
    }),
    update: operation({
      name: `projects.${kind}-members.update`,
      summary: `Change a member of a ${kind}`,
      description:
        'Callers cannot grant a higher level than their own. Without `member_role_id`, a change of the level ends the role.',
      refusals: ['common.not_found', 'member.level_not_listed', 'member.last_owner', ...roleRefusals],
      http: put(`${path}/members/:user_id`),
      access: on(rule),
      input: z.object({ ...ref, ...change }),
      output: Member,
    }),
    remove: operation({
      name: `projects.${kind}-members.remove`,
      summary: `Remove a member from a ${kind}, or leave it`,
      description: 'For those who add members, and for members who leave.',
      refusals: ['common.not_found', 'member.last_owner'],
      http: del(`${path}/members/:user_id`),
      access: on(),
      input: z.object({ ...ref, ...removal }),
      output: nothing(),
    }),
  };
}

export const {
  list: listProjectMembers,
  listAll: listAllProjectMembers,
  get: getProjectMember,
  getAny: getAnyProjectMember,
  add: addProjectMember,
  update: updateProjectMember,
  remove: removeProjectMember,
} = membersOf(ofProjects, { level: Access.Maintainer });

export const {
  list: listGroupMembers,
  listAll: listAllGroupMembers,
  get: getGroupMember,
  getAny: getAnyGroupMember,
  add: addGroupMember,
  update: updateGroupMember,
  remove: removeGroupMember,
} = membersOf(ofGroups, { level: Access.Owner, ability: 'admin_group_member' });

export const importProjectMembers = operation({
  name: 'projects.project-members.import',
  summary: 'Make members of another project members of this one',
  description: 'Direct members; existing memberships stay unchanged.',
  http: post('/projects/:id/import_project_members/:source_id'),
  access: onProject({ level: Access.Maintainer }),
  input: z.object({ ...projectRef, source_id: z.string().describe('Id or URL-encoded path of the other project') }),
  output: z.object({ status: z.string() }),
});

/** A direct membership of a user. See docs/api/members.md#3. */
export const Membership = z.object({
  source_id: id,
  source_name: z.string(),
  source_type: z.enum(['Project', 'Namespace']),
  access_level: z.int(),
});
export type Membership = z.infer<typeof Membership>;

export const listMemberships = operation({
  name: 'projects.memberships.list',
  summary: 'Projects and groups that a user is a direct member of',
  refusals: ['user.not_found'],
  http: get('/users/:id/memberships'),
  access: administrator(),
  input: z.object({
    id,
    type: Membership.shape.source_type.optional().describe('Projects alone, or groups alone'),
  }),
  output: page(Membership),
});
