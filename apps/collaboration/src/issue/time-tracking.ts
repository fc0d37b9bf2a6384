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
import { parseTime } from '../issuable/human-time';
import { requireWritable } from '../parent/require-writable';
import { Issues } from './issue.repository';
import type { IssueDocument } from './issue.schema';
import { viewTimeStats } from './issue.view';

type Context = ContextOf<typeof resetIssueEstimate>;

/** Time estimated and spent. */
@Controller()
export class IssueTimeTracking {
  constructor(private readonly issues: Issues) {}

  @Handles(getIssueTimeStats)
  async get({ project, caller }: ContextOf<typeof getIssueTimeStats>, input: ParsedOf<typeof getIssueTimeStats>) {
    return viewTimeStats(await this.issues.get(project, input.issue_iid, caller));
  }

  @Handles(setIssueEstimate)
  async estimate(context: ContextOf<typeof setIssueEstimate>, input: ParsedOf<typeof setIssueEstimate>) {
    return this.change(context, input.issue_iid, { $set: { timeEstimate: secondsIn(input.duration) } });
  }

  @Handles(resetIssueEstimate)
  async resetEstimate(context: Context, input: ParsedOf<typeof resetIssueEstimate>) {
    return this.change(context, input.issue_iid, { $set: { timeEstimate: 0 } });
  }

  @Handles(addIssueTimeSpent)
  async spend(context: ContextOf<typeof addIssueTimeSpent>, input: ParsedOf<typeof addIssueTimeSpent>) {
    return this.change(context, input.issue_iid, { $inc: { timeSpent: secondsIn(input.duration) } });
  }

  @Handles(resetIssueTimeSpent)
  async resetSpent(context: ContextOf<typeof resetIssueTimeSpent>, input: ParsedOf<typeof resetIssueTimeSpent>) {
    return this.change(context, input.issue_iid, { $set: { timeSpent: 0 } });
  }

  private async change(
    { project, caller }: Context,
    iid: number,
    update: UpdateQuery<IssueDocument>,
  ): Promise<TimeStats> {
    requireWritable(project);
    const issue = await this.issues.get(project, iid, caller);
    // A change worked out from the time before is worked out anew.
    const $inc = { ...update.$inc, revision: 1 };
    const change = { ...update, $inc, $max: { updatedAt: new Date() } };
    const changed = await this.issues.model.findByIdAndUpdate(issue._id, change, { returnDocument: 'after' }).lean();
    if (!changed) throw commonErrors.notFound();
    return viewTimeStats(changed);
  }
}

function secondsIn(duration: string): number {
  const seconds = parseTime(duration);
  if (seconds === undefined) throw commonErrors.badRequest('400 Bad request - duration is invalid');
  return seconds;
}
