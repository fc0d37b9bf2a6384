import { z } from 'zod';
import {
  type Ability,
  Access,
  abilities,
  abilityNames,
  administrator,
  del,
  errors,
  get,
  groupRef,
  id,
  nothing,
  onGroup,
  operation,
  post,
} from '../operation';

/** Limit for a group with everything below it, and for the instance. */
export const mostMemberRoles = 10;

export const memberRoleErrors = errors('member_role', {
  notFound: { status: 404, message: '404 Member Role Not Found', means: 'No such role here.' },
  notAtTop: {
    status: 400,
    message: 'Namespace must be top-level namespace',
    means: 'Roles belong to groups that are in no other.',
  },
  empty: {
    status: 400,
    message: 'Cannot create a member role with no enabled permissions',
    means: 'A role has at least one ability.',
  },
  tooMany: {
    status: 400,
    message:
      'maximum number of Member Roles are already in use by the group hierarchy. Please delete an existing Member Role.',
    means: `A group has ${mostMemberRoles} roles at most, as the instance does.`,
  },
  inUse: {
    status: 400,
    message: 'Role is assigned to one or more group members. Remove role from all group members, then delete role.',
    means: 'A member has the role.',
  },
  otherBase: {
    status: 400,
    message: { member_role_id: ["the custom role's base access level does not match the current access level"] },
    means: 'The level of the membership is another one than that of the role.',
  },
});

const eachAbility = <T extends z.ZodType>(schema: (ability: Ability) => T) =>
  Object.fromEntries(abilityNames.map((ability) => [ability, schema(ability)])) as Record<Ability, T>;

/** A level with additional abilities. See docs/api/members.md#6. */
export const MemberRole = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  group_id: id.nullable().describe('The group of the role; null for all groups'),
  base_access_level: z.int(),
  ...eachAbility(() => z.boolean()),
});
export type MemberRole = z.infer<typeof MemberRole>;

/** Abilities of other servers of the interface without a meaning here. */
const unknownAbilities = [
  'admin_compliance_framework',
  'admin_terraform_state',
  'manage_security_policy_link',
  'read_dependency',
] as const;
const unknown = z
  .boolean()
  .optional()
  .refine((given) => given !== true, 'is no ability that this server knows')
  .describe('Not supported: 400 if true');

const bases = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer] as const;
const creation = {
  name: z.string().trim().min(1).max(255),
  description: z.string().max(1000).nullish(),
  base_access_level: z
    .int()
    .refine((given) => bases.some((base) => base === given), { error: 'does not have a valid value' })
    .describe('The level that its holders have: 10 to 40'),
  ...eachAbility((ability) => z.boolean().default(false).describe(inWords(ability))),
  ...(Object.fromEntries(unknownAbilities.map((name) => [name, unknown])) as Record<
    (typeof unknownAbilities)[number],
    typeof unknown
  >),
};

function inWords(ability: Ability): string {
  const { means, needs } = abilities[ability];
  return needs ? `${means}; needs \`${needs}\`` : means;
}

const owned = onGroup({ level: Access.Owner });
const tier = 'enterprise';
const refusals = [
  'member_role.empty',
  'member_role.too_many',
  'common.invalid_record for an ability that needs another',
];

export const listMemberRoles = operation({
  name: 'projects.member-roles.list',
  summary: 'Member roles of the instance',
  http: get('/member_roles'),
  access: administrator(),
  tier,
  input: z.object({}),
  output: z.array(MemberRole),
});

export const createMemberRole = operation({
  name: 'projects.member-roles.create',
  summary: 'Create a member role of the instance',
  description: 'Members of all groups and projects may have it.',
  refusals,
  http: post('/member_roles'),
  access: administrator(),
  tier,
  input: z.object(creation),
  output: MemberRole,
});

export const deleteMemberRole = operation({
  name: 'projects.member-roles.delete',
  summary: 'Delete a member role of the instance',
  refusals: ['member_role.not_found', 'member_role.in_use'],
  http: del('/member_roles/:member_role_id'),
  access: administrator(),
  tier,
  input: z.object({ member_role_id: id.describe('Id of the role') }),
  output: nothing(),
});

export const listGroupMemberRoles = operation({
  name: 'projects.group-member-roles.list',
  summary: 'Member roles of a group',
  http: get('/groups/:id/member_roles'),
  access: owned,
  tier,
  input: z.object(groupRef),
  output: z.array(MemberRole),
});

export const createGroupMemberRole = operation({
  name: 'projects.group-member-roles.create',
  summary: 'Create a member role of a group',
  description: 'Members of the group and of all groups and projects below it may have it.',
  refusals: ['member_role.not_at_top', ...refusals],
  http: post('/groups/:id/member_roles'),
  access: owned,
  tier,
  input: z.object({ ...groupRef, ...creation }),
  output: MemberRole,
});

export const deleteGroupMemberRole = operation({
  name: 'projects.group-member-roles.delete',
  summary: 'Delete a member role of a group',
  refusals: ['member_role.not_found', 'member_role.in_use'],
  http: del('/groups/:id/member_roles/:member_role_id'),
  access: owned,
  tier,
  input: z.object({ ...groupRef, member_role_id: id.describe('Id of the role') }),
  output: nothing(),
});
