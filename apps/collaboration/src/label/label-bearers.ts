import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../issue/issue.schema';
import type { MergeRequestDocument } from '../merge-request/merge-request.schema';
import type { LabelCounts } from './label.view';

/** How many issues and merge requests carry a label. */
@Injectable()
export class LabelBearers {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
  ) {}

  /** By label; in one project or in all. */
  async count(labelIds: number[], projectId?: number): Promise<Map<number, LabelCounts>> {
    const where = projectId === undefined ? {} : { projectId };
    const counted = labelIds.map(async (labelId): Promise<[number, LabelCounts]> => {
      const bearing = { ...where, labelIds: labelId };
      const [openIssues, closedIssues, openMergeRequests] = await Promise.all([
        this.issues.countDocuments({ ...bearing, state: 'opened' }),
        this.issues.countDocuments({ ...bearing, state: 'closed' }),
        this.mergeRequests.countDocuments({ ...bearing, state: 'opened' }),
      ]);
      return [labelId, { openIssues, closedIssues, openMergeRequests }];
    });
    return new Map(await Promise.all(counted));
  }
}
