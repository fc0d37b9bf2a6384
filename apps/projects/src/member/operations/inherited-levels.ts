import { Injectable } from '@nestjs/common';
import { isCurrent } from '../../access/grants';
import { Namespaces } from '../../namespace/namespace.repository';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { groupKey, keyParts, type Source } from '../source';

/** Reads a user's levels through the groups above. */
@Injectable()
export class InheritedLevels {
  constructor(
    private readonly members: Members,
    private readonly namespaces: Namespaces,
  ) {}

  /** The highest membership in the groups above; undefined if there is none. */
  async findHighest(source: Source, userId: number): Promise<{ level: number; groupName: string } | undefined> {
    if (source.groupIds.length === 0) return undefined;
    const above = { userId, source: { $in: source.groupIds.map(groupKey) } };
    const rows = await this.members.model.find(above).sort({ accessLevel: -1 }).lean<MemberDocument[]>();
    const highest = rows.find((row) => isCurrent(row.expiresAt));
    if (!highest) return undefined;
    const group = await this.namespaces.getGroup(keyParts(highest.source).id);
    return { level: highest.accessLevel, groupName: group.fullName };
  }
}
