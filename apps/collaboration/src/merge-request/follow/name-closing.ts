import { type EventData, type EventRecord, mergeRequestChanged } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../../issue/issue.schema';
import { closedBy } from '../record/closing-references';
import { MergeRequests } from '../record/merge-request.repository';

/** Lets issues know of the merge requests whose description says that they close them. */
@Injectable()
export class NameClosing {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly mergeRequests: MergeRequests,
  ) {}

  /** Works from the merge request as it is, so that events in any order, and repeats, end the same. */
  @OnEvent(mergeRequestChanged, 'NameClosing-onChanged')
  async onChanged({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    const { id, project_id: projectId, description } = data.merge_request;
    const current = await this.mergeRequests.find(id);
    const wanted = current ? closedBy(current.description) : [];
    const named = current ? current.closesIssueIids : closedBy(description);
    const added = wanted.filter((iid) => !named.includes(iid));
    const removed = named.filter((iid) => !wanted.includes(iid));
    if (added.length + removed.length === 0) return;
    const quietly = { timestamps: false };
    const issuesOf = (iids: number[]) => ({ projectId, iid: { $in: iids } });
    await this.issues.updateMany(issuesOf(removed), { $pull: { closingMergeRequestIds: id } }, quietly);
    await this.issues.updateMany(issuesOf(added), { $addToSet: { closingMergeRequestIds: id } }, quietly);
    await this.mergeRequests.model.updateOne({ _id: id }, { $set: { closesIssueIids: wanted } });
  }
}
