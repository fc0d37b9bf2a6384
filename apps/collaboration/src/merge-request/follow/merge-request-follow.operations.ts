import {
  addMergeRequestTimeSpent,
  type ContextOf,
  commonErrors,
  getMergeRequestTimeStats,
  mergeRequestErrors,
  type ParsedOf,
  Reply,
  resetMergeRequestEstimate,
  resetMergeRequestTimeSpent,
  setMergeRequestEstimate,
  subscribeToMergeRequest,
  type TimeStats,
  unsubscribeFromMergeRequest,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { UpdateQuery } from 'mongoose';
import { parseTime } from '../../issuable/human-time';
import { isSubscribed, subscription } from '../../issuable/issuable';
import { viewTimeStats } from '../../issue/issue.view';
import { requireWritable } from '../../parent/require-writable';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from '../view/merge-request-views';

type Change = UpdateQuery<MergeRequestDocument>;

/** Who follows a merge request, and the time spent on it. */
@Controller()
export class MergeRequestFollow {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(subscribeToMergeRequest)
  async subscribe(context: ContextOf<typeof subscribeToMergeRequest>, input: ParsedOf<typeof subscribeToMergeRequest>) {
    return this.setSubscription(context, input.merge_request_iid, true);
  }

  @Handles(unsubscribeFromMergeRequest)
  async unsubscribe(
    context: ContextOf<typeof unsubscribeFromMergeRequest>,
    input: ParsedOf<typeof unsubscribeFromMergeRequest>,
  ) {
    return this.setSubscription(context, input.merge_request_iid, false);
  }

  private async setSubscription(
    { project, caller }: ContextOf<typeof subscribeToMergeRequest>,
    iid: number,
    wanted: boolean,
  ) {
    const found = await this.mergeRequests.get(project, iid);
    if (isSubscribed(found, caller.id) === wanted) {
      return new Reply(await this.views.viewOne(found, project, caller), { status: 304 });
    }
    const change = subscription(found, caller.id, wanted);
    return new Reply(await this.views.viewOne(await this.write(found, change), project, caller));
  }

  @Handles(getMergeRequestTimeStats)
  async timeStats(
    { project }: ContextOf<typeof getMergeRequestTimeStats>,
    input: ParsedOf<typeof getMergeRequestTimeStats>,
  ) {
    return viewTimeStats(await this.mergeRequests.get(project, input.merge_request_iid));
  }

  @Handles(setMergeRequestEstimate)
  async estimate(context: ContextOf<typeof setMergeRequestEstimate>, input: ParsedOf<typeof setMergeRequestEstimate>) {
    return this.track(context, input, { $set: { timeEstimate: secondsIn(input.duration) } });
  }

  @Handles(resetMergeRequestEstimate)
  async resetEstimate(
    context: ContextOf<typeof resetMergeRequestEstimate>,
    input: ParsedOf<typeof resetMergeRequestEstimate>,
  ) {
    return this.track(context, input, { $set: { timeEstimate: 0 } });
  }

  @Handles(addMergeRequestTimeSpent)
  async spend(context: ContextOf<typeof addMergeRequestTimeSpent>, input: ParsedOf<typeof addMergeRequestTimeSpent>) {
    return this.track(context, input, { $inc: { timeSpent: secondsIn(input.duration) } });
  }

  @Handles(resetMergeRequestTimeSpent)
  async resetSpent(
    context: ContextOf<typeof resetMergeRequestTimeSpent>,
    input: ParsedOf<typeof resetMergeRequestTimeSpent>,
  ) {
    return this.track(context, input, { $set: { timeSpent: 0 } });
  }

  private async track(
    { project }: ContextOf<typeof resetMergeRequestEstimate>,
    { merge_request_iid }: { merge_request_iid: number },
    change: Change,
  ): Promise<TimeStats> {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, merge_request_iid);
    // A change worked out from the time before is worked out anew.
    const $inc = { ...change.$inc, revision: 1 };
    return viewTimeStats(await this.write(found, { ...change, $inc, $max: { updatedAt: new Date() } }));
  }

  private async write({ _id }: MergeRequestDocument, change: Change): Promise<MergeRequestDocument> {
    const changed = await this.mergeRequests.model
      .findByIdAndUpdate(_id, change, { returnDocument: 'after' })
      .lean<MergeRequestDocument>();
    if (!changed) throw mergeRequestErrors.notFound();
    return changed;
  }
}

function secondsIn(duration: string): number {
  const seconds = parseTime(duration);
  if (seconds === undefined) throw commonErrors.badRequest('400 Bad request - duration is invalid');
  return seconds;
}
