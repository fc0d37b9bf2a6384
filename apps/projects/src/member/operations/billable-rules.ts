import type { BillableMember, billableSorts, OutputOf, userActivities } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import type { ShareDocument } from '../../share/share.schema';
import type { MemberDocument } from '../member.schema';
import { keyParts } from '../source';

/** The memberships of a user in a group and below it, combined. */
export interface UserMembership {
  type: BillableMember['membership_type'];
  accessLevel: number;
  joinedAt: Date;
}

export type Activity = OutputOf<typeof userActivities>[number];

export interface Person {
  user: UserRecord;
  activity: Activity;
  membership: UserMembership;
}

type Row = Pick<MemberDocument, 'userId' | 'source' | 'accessLevel' | 'createdAt'>;

/** The first kind that applies is shown. */
const types = ['group_member', 'project_member', 'group_invite', 'project_invite'] as const;

/** @param invited members of invited groups, by `shares` */
export function membershipsOf(
  direct: readonly Row[],
  invited: readonly Row[],
  shares: readonly Pick<ShareDocument, 'source' | 'groupIds' | 'accessLevel'>[],
): Map<number, UserMembership> {
  const memberships = new Map<number, UserMembership>();
  const add = ({ userId, createdAt: joinedAt }: Row, type: UserMembership['type'], accessLevel: number) => {
    const known = memberships.get(userId);
    if (!known) memberships.set(userId, { type, accessLevel, joinedAt });
    else {
      if (types.indexOf(type) < types.indexOf(known.type)) known.type = type;
      known.accessLevel = Math.max(known.accessLevel, accessLevel);
      if (joinedAt < known.joinedAt) known.joinedAt = joinedAt;
    }
  };
  for (const row of direct) add(row, `${keyParts(row.source).kind}_member`, row.accessLevel);
  const through = new Map<number, Pick<ShareDocument, 'source' | 'accessLevel'>[]>();
  for (const share of shares) for (const id of share.groupIds) through.set(id, [...(through.get(id) ?? []), share]);
  for (const row of invited)
    for (const { source, accessLevel } of through.get(keyParts(row.source).id) ?? [])
      add(row, `${keyParts(source).kind}_invite`, Math.min(accessLevel, row.accessLevel));
  return memberships;
}

export const isRemovable = ({ type }: UserMembership): boolean => type === 'group_member' || type === 'project_member';

const values = {
  access_level: ({ membership }: Person) => membership.accessLevel,
  joined: ({ membership }: Person) => membership.joinedAt.getTime(),
  name: ({ user }: Person) => user.name.toLowerCase(),
  sign_in: ({ activity }: Person) => activity.last_sign_in_at ?? '',
  last_activity_on: ({ activity }: Person) => activity.last_activity_on ?? '',
};
const orders: Record<(typeof billableSorts)[number], [keyof typeof values, 1 | -1]> = {
  access_level_asc: ['access_level', 1],
  access_level_desc: ['access_level', -1],
  last_joined: ['joined', -1],
  oldest_joined: ['joined', 1],
  name_asc: ['name', 1],
  name_desc: ['name', -1],
  recent_sign_in: ['sign_in', -1],
  oldest_sign_in: ['sign_in', 1],
  last_activity_on_asc: ['last_activity_on', 1],
  last_activity_on_desc: ['last_activity_on', -1],
};

/** Users without a value come first; equal users are sorted by id. */
export function inOrder(people: readonly Person[], sort: (typeof billableSorts)[number]): Person[] {
  const [field, direction] = orders[sort];
  const value = values[field];
  return [...people].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return a === b ? one.user.id - other.user.id : (a < b ? -1 : 1) * direction;
  });
}
