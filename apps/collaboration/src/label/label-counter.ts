import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { LabelCounts } from './label.view';

/**
 * The fields of issues and merge requests that labels read: these modules depend on labels, and not the other way
 * round.
 */
interface Referrer {
  projectId: number;
  labelIds: number[];
  state: string;
}

/** Number of issues and merge requests with a label. */
@Injectable()
export class LabelCounter {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** By label; in one project or in all projects. */
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
