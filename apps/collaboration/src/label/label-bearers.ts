import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../issue/issue.schema';
import type { LabelCounts } from './label.view';

/** How many issues and merge requests carry a label. */
@Injectable()
export class LabelBearers {
  constructor(@InjectModel('Issue') private readonly issues: Model<IssueDocument>) {}

  /** By label; in one project or in all. */
  async count(labelIds: number[], projectId?: number): Promise<Map<number, LabelCounts>> {
    const where = projectId === undefined ? {} : { projectId };
    const counted = labelIds.map(async (labelId): Promise<[number, LabelCounts]> => {
      const [openIssues, closedIssues] = await Promise.all(
        (['opened', 'closed'] as const).map((state) =>
          this.issues.countDocuments({ ...where, labelIds: labelId, state }),
        ),
      );
      return [labelId, { openIssues: openIssues ?? 0, closedIssues: closedIssues ?? 0, openMergeRequests: 0 }];
    });
    return new Map(await Promise.all(counted));
  }
}
