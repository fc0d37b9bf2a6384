import type { SharedWithGroup } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { SourceKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import { Shares } from './share.repository';

/** Shows which groups projects and groups are shared with. */
@Injectable()
export class ShareViews {
  constructor(
    private readonly shares: Shares,
    private readonly namespaces: Namespaces,
  ) {}

  /** By source; sources without shares are left out. */
  async viewSharesOf(sources: SourceKey[]): Promise<Map<string, SharedWithGroup[]>> {
    const shares = await this.shares.listOfSources(sources);
    if (shares.length === 0) return new Map();
    const groups = await this.namespaces.findByIds(shares.map(({ groupId }) => groupId));
    const views = new Map<string, SharedWithGroup[]>();
    for (const share of shares) {
      const group = groups.get(share.groupId);
      if (!group) continue;
      const view = {
        group_id: group._id,
        group_name: group.name,
        group_full_path: group.fullPath,
        group_access_level: share.accessLevel,
        expires_at: share.expiresAt,
      };
      views.set(share.source, [...(views.get(share.source) ?? []), view]);
    }
    return views;
  }
}
