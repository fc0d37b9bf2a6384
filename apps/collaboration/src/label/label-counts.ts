import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { LabelCounts } from './label.view';

/** Issues and merge requests, as far as labels know of them: these know labels, and labels do not know these. */
interface Labelled {
  projectId: number;
  labelIds: number[];
  state: string;
}

/** How many issues and merge requests carry a label. */
@Injectable()
export class LabelBearers {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** By label; in one project or in all. */
  async count(labelIds: number[], projectId?: number): Promise<Map<number, LabelCounts>> {
    const issues = this.connection.model<Labelled>('Issue');
    const mergeRequests = this.connection.model<Labelled>('MergeRequest');
    const where = projectId === undefined ? {} : { projectId };
    const counted = labelIds.map(async (labelId): Promise<[number, LabelCounts]> => {
      const bearing = { ...where, labelIds: labelId };
      const [openIssues, closedIssues, openMergeRequests] = await Promise.all([
        issues.countDocuments({ ...bearing, state: 'opened' }),
        issues.countDocuments({ ...bearing, state: 'closed' }),
        mergeRequests.countDocuments({ ...bearing, state: 'opened' }),
      ]);
      return [labelId, { openIssues, closedIssues, openMergeRequests }];
    });
    return new Map(await Promise.all(counted));
  }
}
