import { type ContextOf, openIssueCounts, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from './issue.schema';

/** Answers the projects service with counts of issues. */
@Controller()
export class CountOpenIssues {
  constructor(@InjectModel('Issue') private readonly issues: Model<IssueDocument>) {}

  @Handles(openIssueCounts)
  async handle(_: ContextOf<typeof openIssueCounts>, { project_ids }: ParsedOf<typeof openIssueCounts>) {
    return Promise.all(
      project_ids.map(async (project_id) => {
        const open = { projectId: project_id, state: 'opened' } as const;
        const [all, confidential] = await Promise.all([
          this.issues.countDocuments(open),
          this.issues.countDocuments({ ...open, confidential: true }),
        ]);
        return { project_id, open: all, confidential };
      }),
    );
  }
}
