import {
  addMergeRequestTimeSpent,
  type ContextOf,
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
import { isSubscribed, subscription } from '../../issuable/issuable';
import { estimate, resetEstimate, resetSpent, spend, viewTimeStats } from '../../issuable/time-tracking';
import { requireWritable } from '../../parent/require-writable';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from '../view/merge-request-views';

type Change = UpdateQuery<MergeRequestDocument>;

/** Subscriptions and time tracking of a merge request. */
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
    return this.track(context, input, estimate(input.duration));
  }

  @Handles(resetMergeRequestEstimate)
  async resetEstimate(
    context: ContextOf<typeof resetMergeRequestEstimate>,
    input: ParsedOf<typeof resetMergeRequestEstimate>,
  ) {
    return this.track(context, input, resetEstimate());
  }

  @Handles(addMergeRequestTimeSpent)
  async spend(context: ContextOf<typeof addMergeRequestTimeSpent>, input: ParsedOf<typeof addMergeRequestTimeSpent>) {
    return this.track(context, input, spend(input.duration));
  }

  @Handles(resetMergeRequestTimeSpent)
  async resetSpent(
    context: ContextOf<typeof resetMergeRequestTimeSpent>,
    input: ParsedOf<typeof resetMergeRequestTimeSpent>,
  ) {
    return this.track(context, input, resetSpent());
  }

  private async track(
    { project }: ContextOf<typeof resetMergeRequestEstimate>,
    { merge_request_iid }: { merge_request_iid: number },
    change: Change,
  ): Promise<TimeStats> {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, merge_request_iid);
    return viewTimeStats(await this.write(found, change));
  }

  private async write({ _id }: MergeRequestDocument, change: Change): Promise<MergeRequestDocument> {
    const changed = await this.mergeRequests.model
      .findByIdAndUpdate(_id, change, { returnDocument: 'after' })
      .lean<MergeRequestDocument>();
    if (!changed) throw mergeRequestErrors.notFound();
    return changed;
  }
}
