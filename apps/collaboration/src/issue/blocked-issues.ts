import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { IssueLinks } from '../issue-link/issue-link.repository';
import type { IssueDocument } from './issue.schema';

/** Counts of issues that issues block. */
@Injectable()
export class BlockedIssues {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly links: IssueLinks,
  ) {}

  /** Number of open issues that each issue blocks; issues that block none are left out. */
  async count(issueIds: number[]): Promise<ReadonlyMap<number, number>> {
    const links = await this.links.listBlockingFrom(issueIds);
    if (links.length === 0) return new Map();
    const targets = { _id: { $in: links.map(({ targetId }) => targetId) }, state: 'opened' as const };
    const open = new Set(await this.issues.distinct('_id', targets));
    const counts = new Map<number, number>();
    for (const { sourceId, targetId } of links) {
      if (open.has(targetId)) counts.set(sourceId, (counts.get(sourceId) ?? 0) + 1);
    }
    return counts;
  }
}
