import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { LabelCounts } from './label.view';

/** Issues and merge requests, as far as labels know of them: these know labels, and labels do not know these. */
interface Referrer {
  projectId: number;
  labelIds: number[];
  state: string;
}

/** How many issues and merge requests carry a label. */
@Injectable()
export class LabelCounter {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** By label; in one project or in all. */
  async count(labelIds: number[], projectId?: number): Promise<Map<number, LabelCounts>> {
    const issues = this.connection.model<Referrer>('Issue');
    const mergeRequests = this.connection.model<Referrer>('MergeRequest');
    const where = projectId === undefined ? {} : { projectId };
    const counted = labelIds.map(async (labelId): Promise<[number, LabelCounts]> => {
      const referring = { ...where, labelIds: labelId };
      const [openIssues, closedIssues, openMergeRequests] = await Promise.all([
        issues.countDocuments({ ...referring, state: 'opened' }),
        issues.countDocuments({ ...referring, state: 'closed' }),
        mergeRequests.countDocuments({ ...referring, state: 'opened' }),
      ]);
      return [labelId, { openIssues, closedIssues, openMergeRequests }];
    });
    return new Map(await Promise.all(counted));
  }
}
