import { z } from 'zod';
import { UserSummary } from '../identity/user';
import { Access, del, errors, get, groupRef, id, nothing, onGroup, operation, page, time } from '../operation';

export const billableMemberErrors = errors('billable_member', {
  notAtTop: {
    status: 400,
    message: '400 Bad request - Only for top-level groups',
    means: 'Only for top-level groups.',
  },
  invited: {
    status: 400,
    message: 'Member cannot be removed: a member through an invited group',
    means: 'The user is a member of no group or project here, but of one that something is shared with.',
  },
});

export const billableSorts = [
  'access_level_asc',
  'access_level_desc',
  'last_joined',
  'oldest_joined',
  'name_asc',
  'name_desc',
  'recent_sign_in',
  'oldest_sign_in',
  'last_activity_on_asc',
  'last_activity_on_desc',
] as const;

/** A user who counts for a group: a member of it, or of something below it, in any way. See docs/api/members.md#7. */
const BillableMember = UserSummary.extend({
  created_at: time.describe('When the user was created'),
  last_activity_on: z.string().nullable(),
  last_login_at: time.nullable(),
  membership_type: z
    .enum(['group_member', 'project_member', 'group_invite', 'project_invite'])
    .describe('The first that holds: by a group or a project here, or by a group that one of them is shared with'),
  removable: z.boolean(),
  is_last_owner: z.boolean(),
});
export type BillableMember = z.infer<typeof BillableMember>;

const BillableMembership = z.object({
  id,
  source_id: id,
  source_full_name: z.string(),
  source_members_url: z.string(),
  created_at: time,
  expires_at: z.string().nullable(),
  access_level: z.object({ string_value: z.string(), integer_value: z.int() }),
});
export type BillableMembership = z.infer<typeof BillableMembership>;

const owned = onGroup({ level: Access.Owner });
const tier = 'enterprise';
const one = { ...groupRef, user_id: id };

export const listBillableMembers = operation({
  name: 'projects.billable-members.list',
  summary: 'Users who count for a group: its members and those of all below it',
  description: 'Active people, each once; no bots and service accounts.',
  refusals: ['billable_member.not_at_top'],
  http: get('/groups/:id/billable_members'),
  access: owned,
  tier,
  input: z.object({
    ...groupRef,
    search: z.string().max(255).optional().describe('Part of the name or username, or the whole public address'),
    sort: z.enum(billableSorts).default('name_asc').describe('Order'),
  }),
  output: page(BillableMember),
});

export const listBillableMemberships = operation({
  name: 'projects.billable-members.list-memberships',
  summary: 'Direct memberships of a user in a group and below it',
  refusals: ['billable_member.not_at_top', 'common.not_found'],
  http: get('/groups/:id/billable_members/:user_id/memberships'),
  access: owned,
  tier,
  input: z.object(one),
  output: page(BillableMembership),
});

export const listIndirectMemberships = operation({
  name: 'projects.billable-members.list-indirect',
  summary: 'Memberships of a user in groups that something in a group is shared with',
  refusals: ['billable_member.not_at_top', 'common.not_found'],
  http: get('/groups/:id/billable_members/:user_id/indirect'),
  access: owned,
  tier,
  input: z.object(one),
  output: page(BillableMembership),
});

export const removeBillableMember = operation({
  name: 'projects.billable-members.remove',
  summary: 'Remove a user from a group and all that is below it',
  refusals: ['billable_member.not_at_top', 'billable_member.invited', 'common.not_found', 'member.last_owner'],
  http: del('/groups/:id/billable_members/:user_id'),
  access: owned,
  tier,
  input: z.object(one),
  output: nothing(),
});
