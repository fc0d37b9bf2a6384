import { type Ability, abilityNames, type MemberRole } from '@moothall/contracts';
import type { MemberRoleDocument } from './member-role.schema';

export const viewMemberRole = (role: MemberRoleDocument): MemberRole => ({
  id: role._id,
  name: role.name,
  description: role.description,
  group_id: role.groupId,
  base_access_level: role.baseAccessLevel,
  ...(Object.fromEntries(abilityNames.map((name) => [name, role.abilities.includes(name)])) as Record<
    Ability,
    boolean
  >),
});
