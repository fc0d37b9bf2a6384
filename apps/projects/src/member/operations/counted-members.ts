import { Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { isCurrent } from '../../access/grants';
import { Namespaces } from '../../namespace/namespace.repository';
import { Projects } from '../../project/project.repository';
import { Shares } from '../../share/share.repository';
import type { ShareDocument } from '../../share/share.schema';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { groupKey, projectKey, type SourceKey } from '../source';
import { membershipsOf, type UserMembership } from './billable-rules';

/** Finds the members of a group and of everything below it, directly or through shares with other groups. */
@Injectable()
export class CountedMembers {
  constructor(
    private readonly members: Members,
    private readonly shares: Shares,
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
  ) {}

  /** By user. */
  async find(groupId: number): Promise<Map<number, UserMembership>> {
    const sources = await this.sourcesBelow(groupId);
    const shares = await this.currentShares(sources);
    const [direct, invited] = await Promise.all([
      this.rows({ source: { $in: sources } }),
      this.rows({ source: { $in: invitedSources(shares) } }),
    ]);
    return membershipsOf(direct, invited, shares);
  }

  /** Memberships of one user in a group and below it, by id. */
  async direct(groupId: number, userId: number): Promise<MemberDocument[]> {
    return this.rows({ userId, source: { $in: await this.sourcesBelow(groupId) } });
  }

  /** Memberships of one user in groups that something below the group is shared with. */
  async invited(groupId: number, userId: number): Promise<MemberDocument[]> {
    const shares = await this.currentShares(await this.sourcesBelow(groupId));
    return this.rows({ userId, source: { $in: invitedSources(shares) } });
  }

  private async sourcesBelow(groupId: number): Promise<SourceKey[]> {
    const [groups, projects] = await Promise.all([
      this.namespaces.listWithDescendants(groupId),
      this.projects.model.find({ groupIds: groupId }, { _id: 1 }).lean<{ _id: number }[]>(),
    ]);
    return [...groups.map(groupKey), ...projects.map(({ _id }) => projectKey(_id))];
  }

  private async currentShares(sources: SourceKey[]): Promise<ShareDocument[]> {
    const shares = await this.shares.listOfSources(sources);
    return shares.filter(({ expiresAt }) => isCurrent(expiresAt));
  }

  private async rows(filter: QueryFilter<MemberDocument>): Promise<MemberDocument[]> {
    const rows = await this.members.model.find(filter).sort({ _id: 1 }).lean<MemberDocument[]>();
    return rows.filter(({ expiresAt }) => isCurrent(expiresAt));
  }
}

const invitedSources = (shares: ShareDocument[]): SourceKey[] => [
  ...new Set(shares.flatMap(({ groupIds }) => groupIds.map(groupKey))),
];
