import { invalidRecord, type Visibility } from '@moothall/contracts';

const order: Visibility[] = ['private', 'internal', 'public'];

export const isWider = (one: Visibility, other: Visibility): boolean => order.indexOf(one) > order.indexOf(other);

/** The more restricted of two visibilities. */
export const narrower = (one: Visibility, other: Visibility): Visibility => (isWider(one, other) ? other : one);

interface Container {
  kind: 'group' | 'user';
  visibility: Visibility;
}

/** Nothing in a group may be more visible than the group. @throws common.invalid_record */
export function requireVisibilityWithin(visibility: Visibility, container: Container | null): void {
  if (container?.kind !== 'group' || !isWider(visibility, container.visibility)) return;
  throw invalidRecord({ visibility_level: [`${visibility} is not allowed in a ${container.visibility} group.`] });
}

/** Administrators can restrict a visibility. @throws common.invalid_record */
export function requireUnrestricted(visibility: Visibility, restricted: Visibility[], isAdmin: boolean): void {
  if (isAdmin || !restricted.includes(visibility)) return;
  throw invalidRecord({ visibility_level: [`${visibility} has been restricted by your administrator`] });
}

/** A group may not become less visible than its content. @throws common.invalid_record */
export function requireRoomFor(visibility: Visibility, widest: { project: Visibility; group: Visibility }): void {
  const problems = [
    isWider(widest.project, visibility) ? ['projects', widest.project] : [],
    isWider(widest.group, visibility) ? ['sub-groups', widest.group] : [],
  ].filter((problem) => problem.length > 0);
  if (problems.length === 0) return;
  throw invalidRecord({
    visibility_level: problems.map(
      ([what]) => `${visibility} is not allowed since this group contains ${what} with higher visibility.`,
    ),
  });
}
