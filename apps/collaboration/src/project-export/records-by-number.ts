import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../issue/issue.schema';
import { MergeRequests } from '../merge-request/record/merge-request.repository';
import type { Numbered } from './next-hanging';

/** Issues and merge requests of a project by their numbers in an archive. */
@Injectable()
export class RecordsByNumber {
  constructor(
    private readonly mergeRequests: MergeRequests,
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
  ) {}

  /** Ids of the existing ones. */
  async idsOf(type: 'Issue' | 'MergeRequest', projectId: number, iids: number[]): Promise<Map<number, number>> {
    if (iids.length === 0) return new Map();
    const filter = { projectId, iid: { $in: [...new Set(iids)] } };
    const found =
      type === 'Issue'
        ? await this.issues.find(filter, { iid: 1 }).lean<Numbered[]>()
        : await this.mergeRequests.model.find(filter, { iid: 1 }).lean<Numbered[]>();
    return new Map(found.map(({ _id, iid }) => [iid, _id]));
  }
}
