import {
  type Ability,
  abilities,
  abilityNames,
  forbidden,
  invalidRecord,
  memberRoleErrors,
  reaches,
} from '@moothall/contracts';
import type { MemberDocument } from './member.schema';
import type { MemberRoleDocument } from './member-role.schema';
import type { Source } from './source';

/** The requested abilities. @throws member_role.empty; common.invalid_record if one requires another */
export function requireWhole(given: Partial<Record<Ability, boolean>>): Ability[] {
  const wanted = abilityNames.filter((name) => given[name]);
  if (wanted.length === 0) throw memberRoleErrors.empty();
  const lacking = wanted.flatMap((name): [string, string[]][] => {
    const { needs } = abilities[name];
    const isMet = needs === undefined || wanted.some((other) => other === needs);
    return isMet ? [] : [[name, [`${needs} has to be enabled in order to enable ${name}`]]];
  });
  if (lacking.length > 0) throw invalidRecord(Object.fromEntries(lacking));
  return wanted;
}

/** The groups of a source: itself, if it is a group, and those above. */
const groupsOf = ({ kind, id, groupIds }: Pick<Source, 'kind' | 'id' | 'groupIds'>): number[] =>
  kind === 'group' ? [id, ...groupIds] : groupIds;

/**
 * Whether members of the source may have the role: transferred projects and groups lose roles of their former groups.
 */
export const isRoleOf = (
  { groupId }: Pick<MemberRoleDocument, 'groupId'>,
  source: Pick<Source, 'kind' | 'id' | 'groupIds'>,
): boolean => groupId === null || groupsOf(source).includes(groupId);

/** Whether a membership has the abilities of its role: its level may have been changed since. */
export const isHeld = (
  { baseAccessLevel }: Pick<MemberRoleDocument, 'baseAccessLevel'>,
  { accessLevel }: Pick<MemberDocument, 'accessLevel'>,
): boolean => baseAccessLevel === accessLevel;

/** A caller may only grant abilities that they have by level or role. @throws common.forbidden */
export function requireRoleGrantable(source: Source, role: Pick<MemberRoleDocument, 'abilities'>): void {
  if (!role.abilities.every((ability) => reaches(source, levelFor(ability, source.kind), ability))) throw forbidden();
}

/** The lowest level that includes an ability. Abilities in a group apply to its projects as well. */
function levelFor(ability: Ability, kind: Source['kind']): number {
  const { project = 0, group = 0 } = abilities[ability];
  return kind === 'project' ? project : Math.max(project, group);
}
