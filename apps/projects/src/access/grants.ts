import { type Ability, Access, type AccessLevel, type Caller } from '@moothall/contracts';
import { findInTurn } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MemberDocument } from '../member/member.schema';
import type { MemberRoleDocument } from '../member/member-role.schema';
import { MemberRoles } from '../member/member-roles';
import { isHeld, isRoleOf } from '../member/role-rules';
import { chainOf, groupKey, keyParts, projectKey, type Source, type SourceKey } from '../member/source';
import { Shares } from '../share/share.repository';
import type { ShareDocument } from '../share/share.schema';

/** The caller; administrators have the level of owners everywhere. */
export interface Principal {
  userId: number | null;
  isAdmin: boolean;
  isExternal: boolean;
  /** For deploy tokens: the project or group that the token gives developer access to. */
  opens?: { kind: 'project' | 'group'; id: number } | undefined;
}

/** The principal of a caller. */
export const principalOf = (caller: Caller | undefined): Principal => ({
  userId: caller?.id ?? null,
  isAdmin: caller?.isAdmin ?? false,
  isExternal: caller?.isExternal ?? false,
});

interface LocatedProject {
  _id: number;
  groupIds: number[];
  ownerId?: number;
}

interface LocatedGroup {
  _id: number;
  ancestorIds: number[];
}

const level = (value: number): AccessLevel => value as AccessLevel;

/** Memberships and shares end at the start of their last day, in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);
export const isCurrent = (expiresAt: string | null, day = today()): boolean => expiresAt === null || expiresAt > day;

/**
 * The levels of one user, by project and group: through memberships, and through groups that a project or group is
 * shared with. Roles come from memberships alone.
 */
export class UserGrants {
  constructor(
    readonly principal: Principal,
    private readonly levels: ReadonlyMap<SourceKey, number>,
    private readonly roles: ReadonlyMap<SourceKey, MemberRoleDocument> = new Map(),
  ) {}

  levelInProject({ _id, groupIds, ownerId }: LocatedProject): AccessLevel {
    if (this.principal.isAdmin || (ownerId !== undefined && ownerId === this.principal.userId)) return Access.Owner;
    return this.highest(chainOf({ key: projectKey(_id), groupIds }));
  }

  levelInGroup({ _id, ancestorIds }: LocatedGroup): AccessLevel {
    if (this.principal.isAdmin) return Access.Owner;
    return this.highest(chainOf({ key: groupKey(_id), groupIds: ancestorIds }));
  }

  /** Abilities that roles add to the level in a project. */
  abilitiesInProject({ _id: id, groupIds }: LocatedProject): Ability[] {
    return this.abilitiesIn({ kind: 'project', id, groupIds });
  }

  abilitiesInGroup({ _id: id, ancestorIds }: LocatedGroup): Ability[] {
    return this.abilitiesIn({ kind: 'group', id, groupIds: ancestorIds });
  }

  private abilitiesIn(source: Pick<Source, 'kind' | 'id' | 'groupIds'>): Ability[] {
    if (this.roles.size === 0) return [];
    const key = source.kind === 'project' ? projectKey(source.id) : groupKey(source.id);
    const held = chainOf({ key, groupIds: source.groupIds }).flatMap((key) => this.roles.get(key) ?? []);
    return [...new Set(held.filter((role) => isRoleOf(role, source)).flatMap(({ abilities }) => abilities))];
  }

  highest(chain: SourceKey[]): AccessLevel {
    return level(Math.max(Access.None, ...chain.map((key) => this.levels.get(key) ?? Access.None)));
  }

  /** The same with the levels that shares with the user's groups add. */
  through(shares: ShareDocument[]): UserGrants {
    return new UserGrants(this.principal, withShares(this.levels, shares, this.levels), this.roles);
  }

  /** Ids of projects or groups where the user has at least that level directly, not through a group above. */
  sources(kind: 'project' | 'group', least: number = Access.Guest): number[] {
    return [...this.levels]
      .filter(([key, value]) => value >= least && keyParts(key).kind === kind)
      .map(([key]) => keyParts(key).id);
  }
}

const shown = { userId: 1, source: 1, accessLevel: 1, expiresAt: 1, memberRoleId: 1 } as const;

/** Reads the access levels of users. */
@Injectable()
export class Grants {
  constructor(
    @InjectModel('Member') private readonly members: Model<MemberDocument>,
    private readonly shares: Shares,
    private readonly roles: MemberRoles,
  ) {}

  /** All levels of a user, for lists; reads one row per membership. */
  async findLevels(principal: Principal): Promise<UserGrants> {
    return this.addShares(await this.findOwnLevels(principal));
  }

  /** The levels of a user by memberships alone, without shares. */
  async findOwnLevels(principal: Principal): Promise<UserGrants> {
    if (principal.opens) return grantsOfToken(principal, principal.opens);
    if (principal.userId === null) return new UserGrants(principal, new Map());
    const rows = await this.rows({ userId: principal.userId });
    const levels = best(rows.map((row) => [row.source, row.accessLevel]));
    return new UserGrants(principal, levels, await this.rolesOf(rows));
  }

  /** Adds the levels in what is shared with the groups of a user. */
  async addShares(own: UserGrants): Promise<UserGrants> {
    const groupIds = own.principal.opens ? [] : own.sources('group', Access.None);
    const shares = current(await this.shares.listWithGroups(groupIds));
    return shares.length > 0 ? own.through(shares) : own;
  }

  /**
   * The levels of a user in one project or group: one command, and another one if it is shared or the user has no
   * level.
   */
  async findLevelsWithin(principal: Principal, chain: SourceKey[]): Promise<UserGrants> {
    if (principal.opens) return grantsOfToken(principal, principal.opens);
    if (principal.userId === null || principal.isAdmin) return new UserGrants(principal, new Map());
    const [rows, found] = await Promise.all([
      this.rows({ userId: principal.userId, source: { $in: chain } }),
      this.shares.listOfSources(chain),
    ]);
    const shares = current(found);
    const levels = best(rows.map((row) => [row.source, row.accessLevel]));
    const roles = await this.rolesOf(rows);
    if (shares.length === 0 && levels.size > 0) return new UserGrants(principal, levels, roles);
    // Also without shares, so that the response time does not reveal them.
    const invited = await this.rows({ userId: principal.userId, source: { $in: invitedKeys(shares) } });
    const inInvited = best(invited.map((row) => [row.source, row.accessLevel]));
    return new UserGrants(principal, withShares(levels, shares, inInvited), roles);
  }

  /** The highest level of each user in a chain, or of the given users. */
  async findLevelsOfUsers(chain: SourceKey[], userIds?: number[]): Promise<Map<number, AccessLevel>> {
    const who = userIds ? { userId: { $in: userIds } } : {};
    const [rows, found] = await Promise.all([
      this.rows({ ...who, source: { $in: chain } }),
      this.shares.listOfSources(chain),
    ]);
    const shares = current(found);
    const levels = best(rows.map((row) => [row.userId, row.accessLevel]));
    if (shares.length === 0) return asLevels(levels);
    const invited = await this.rows({ ...who, source: { $in: invitedKeys(shares) } });
    const through = invited.flatMap((row) =>
      shares
        .filter((share) => share.groupIds.includes(keyParts(row.source).id))
        .map((share): [number, number] => [row.userId, Math.min(share.accessLevel, row.accessLevel)]),
    );
    return asLevels(best([...levels, ...through]));
  }

  private async rows(filter: { userId?: number | { $in: number[] }; source?: { $in: SourceKey[] } }) {
    const isLarge = typeof filter.userId !== 'number' || !filter.source;
    return current(await findInTurn(this.members, () => [{ filter, projection: shown, isLarge }]));
  }

  /** The roles of one user's memberships, by project or group. */
  private async rolesOf(rows: MemberDocument[]): Promise<Map<SourceKey, MemberRoleDocument>> {
    const roles = await this.roles.named(rows);
    return new Map(
      rows.flatMap((row): [SourceKey, MemberRoleDocument][] => {
        const role = row.memberRoleId === undefined ? undefined : roles.get(row.memberRoleId);
        return role && isHeld(role, row) ? [[row.source, role]] : [];
      }),
    );
  }
}

function current<R extends { expiresAt: string | null }>(records: R[]): R[] {
  const day = today();
  return records.filter(({ expiresAt }) => isCurrent(expiresAt, day));
}

const grantsOfToken = (principal: Principal, { kind, id }: NonNullable<Principal['opens']>): UserGrants =>
  new UserGrants(principal, new Map([[kind === 'project' ? projectKey(id) : groupKey(id), Access.Developer]]));

const invitedKeys = (shares: ShareDocument[]): SourceKey[] => [
  ...new Set(shares.flatMap((share) => share.groupIds.map(groupKey))),
];

function best<K>(entries: [K, number][]): Map<K, number> {
  const highest = new Map<K, number>();
  for (const [key, value] of entries) highest.set(key, Math.max(value, highest.get(key) ?? 0));
  return highest;
}

const asLevels = <K>(levels: Map<K, number>): Map<K, AccessLevel> =>
  new Map([...levels].map(([key, value]) => [key, level(value)]));

/** A share grants at most its own level, and at most the user's level in the invited group. */
function withShares(
  levels: ReadonlyMap<SourceKey, number>,
  shares: ShareDocument[],
  inInvited: ReadonlyMap<SourceKey, number>,
): Map<SourceKey, number> {
  const through = shares.map((share): [SourceKey, number] => {
    const own = Math.max(0, ...share.groupIds.map((id) => inInvited.get(groupKey(id)) ?? 0));
    return [share.source, Math.min(own, share.accessLevel)];
  });
  return best([...levels, ...through.filter(([, value]) => value > 0)]);
}
