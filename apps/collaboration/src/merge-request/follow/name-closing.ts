import { type EventData, type EventRecord, mergeRequestChanged } from '@moothall/contracts';
import { hasRoom } from '@moothall/database';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { without } from '../../issuable/without';
import { type IssueDocument, mostClosing } from '../../issue/issue.schema';
import { closedBy } from '../record/closing-references';
import { MergeRequests } from '../record/merge-request.repository';

/** Stores in issues which merge requests close them, by their descriptions. */
@Injectable()
export class NameClosing {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly mergeRequests: MergeRequests,
  ) {}

  /**
   * Uses the current merge request, so events in any order, and repeats, have the same result. If it changed meanwhile,
   * the run starts again and reverts what the older text wrote.
   */
  @OnEvent(mergeRequestChanged, 'NameClosing-onChanged')
  async onChanged({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    const { id, project_id: projectId, description } = data.merge_request;
    const quietly = { timestamps: false };
    const issuesOf = (iids: number[]) => ({ projectId, iid: { $in: iids } });
    let written: number[] = [];
    for (;;) {
      const current = await this.mergeRequests.find(id);
      const wanted = current ? closedBy(current.description) : [];
      const named = current ? current.closesIssueIids : closedBy(description);
      const removed = without([...named, ...written], wanted);
      // A concurrent run may have removed what this run added.
      const added = without(wanted, without(named, written));
      if (added.length + removed.length === 0) return;
      await this.issues.updateMany(issuesOf(removed), { $pull: { closingMergeRequestIds: id } }, quietly);
      const withRoom = { ...issuesOf(added), ...hasRoom('closingMergeRequestIds', mostClosing) };
      await this.issues.updateMany(withRoom, { $addToSet: { closingMergeRequestIds: id } }, quietly);
      if (!current) return;
      const unchanged = { _id: id, revision: current.revision };
      const closes = { $set: { closesIssueIids: wanted } };
      if ((await this.mergeRequests.model.updateOne(unchanged, closes)).matchedCount > 0) return;
      written = [...added, ...removed];
    }
  }
}
