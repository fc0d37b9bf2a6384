import {
  addIssueTimeSpent,
  type ContextOf,
  commonErrors,
  getIssueTimeStats,
  type ParsedOf,
  resetIssueEstimate,
  resetIssueTimeSpent,
  setIssueEstimate,
  type TimeStats,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { UpdateQuery } from 'mongoose';
import { estimate, resetEstimate, resetSpent, spend, viewTimeStats } from '../issuable/time-tracking';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import type { IssueDocument } from './issue.schema';

type Context = ContextOf<typeof resetIssueEstimate>;

/** Estimated and spent time. */
@Controller()
export class IssueTimeTracking {
  constructor(private readonly issues: Issues) {}

  @Handles(getIssueTimeStats)
  async get({ project, caller }: ContextOf<typeof getIssueTimeStats>, input: ParsedOf<typeof getIssueTimeStats>) {
    return viewTimeStats(await this.issues.get(project, input.issue_iid, caller));
  }

  @Handles(setIssueEstimate)
  async estimate(context: ContextOf<typeof setIssueEstimate>, input: ParsedOf<typeof setIssueEstimate>) {
    return this.change(context, input.issue_iid, estimate(input.duration));
  }

  @Handles(resetIssueEstimate)
  async resetEstimate(context: Context, input: ParsedOf<typeof resetIssueEstimate>) {
    return this.change(context, input.issue_iid, resetEstimate());
  }

  @Handles(addIssueTimeSpent)
  async spend(context: ContextOf<typeof addIssueTimeSpent>, input: ParsedOf<typeof addIssueTimeSpent>) {
    return this.change(context, input.issue_iid, spend(input.duration));
  }

  @Handles(resetIssueTimeSpent)
  async resetSpent(context: ContextOf<typeof resetIssueTimeSpent>, input: ParsedOf<typeof resetIssueTimeSpent>) {
    return this.change(context, input.issue_iid, resetSpent());
  }

  private async change(
    { project, caller }: Context,
    iid: number,
    update: UpdateQuery<IssueDocument>,
  ): Promise<TimeStats> {
    requireWritable(project);
    const issue = await this.issues.get(project, iid, caller);
    const changed = await this.issues.model.findByIdAndUpdate(issue._id, update, { returnDocument: 'after' }).lean();
    if (!changed) throw commonErrors.notFound();
    return viewTimeStats(changed);
  }
}
