import { type AccessLevel, commonErrors, forbidden, invalidRecord, memberErrors, reaches } from '@moothall/contracts';
import type { Source } from './source';

export const levelNames: Record<number, string> = {
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
};

/** The level must be one of those listed for the source. @throws member.level_not_listed */
export function requireListed(source: Pick<Source, 'levels'>, level: number): asserts level is AccessLevel {
  if (!source.levels.some((listed) => listed === level)) throw memberErrors.levelNotListed();
}

/** A caller may neither grant a level above their own, nor change a member above it. @throws common.forbidden */
export function requireGrantable(ownLevel: number, level: number): void {
  if (level > ownLevel) throw forbidden();
}

/** The owner of a project's personal namespace stays its owner. @throws common.forbidden */
export function requireNotOwner({ ownerId }: { ownerId?: number }, userId: number): void {
  if (ownerId === userId) throw forbidden();
}

/** A direct membership must not be below the inherited level. @throws common.invalid_record */
export function requireNotBelowInherited(inherited: { level: number; groupName: string } | undefined, level: number) {
  if (!inherited || level >= inherited.level) return;
  throw invalidRecord({
    access_level: [
      `should be greater than or equal to ${levelNames[inherited.level]} inherited membership from group ${inherited.groupName}`,
    ],
  });
}

/** A membership that ends today is accepted and has no effect, as in v4. @throws common.invalid_record */
export function requireInFuture(expiresAt: string | null | undefined, today: string): void {
  if (expiresAt && expiresAt < today) throw invalidRecord({ expires_at: ['cannot be a date in the past'] });
}

/** @throws common.forbidden for callers who may not remove others, unless they leave themselves */
export function requireRemovable(source: Source, member: { userId: number; accessLevel: number }, callerId: number) {
  if (member.userId === callerId) return;
  const least = source.kind === 'group' ? 50 : 40;
  const ability = source.kind === 'group' ? 'admin_group_member' : undefined;
  if (!reaches(source, least, ability)) throw commonErrors.forbidden();
  requireGrantable(source.accessLevel, member.accessLevel);
}
