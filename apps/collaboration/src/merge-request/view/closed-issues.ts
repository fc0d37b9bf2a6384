import { findClosedExternalIssues, type OutputOf, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from '../../issue/issue.schema';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { closedBy } from '../record/closing-references';
import type { MergeRequestDocument } from '../record/merge-request.schema';

/** Limit of commits whose messages are read for issues to close. */
const readCommits = 100;

/** Issues that a merge request closes. */
@Injectable()
export class ClosedIssues {
  constructor(
    @InjectModel('Issue') private readonly issues: Model<IssueDocument>,
    private readonly git: MergeRequestGit,
    private readonly client: OperationClient,
  ) {}

  /** Of the target project; named in the description or in a commit message. */
  async list(mergeRequest: MergeRequestDocument, target: ProjectRef): Promise<IssueDocument[]> {
    if (target.features.issues === 'disabled') return [];
    return this.namedIn(await this.textsOf(mergeRequest, target), target);
  }

  async namedIn(texts: string[], target: ProjectRef): Promise<IssueDocument[]> {
    const iids = closedBy(...texts);
    if (iids.length === 0) return [];
    return this.issues
      .find({ projectId: target.id, iid: { $in: iids } })
      .sort({ iid: 1 })
      .lean<IssueDocument[]>();
  }

  /** Issues of an external tracker, if the project has one. */
  externalIn(texts: string[], target: ProjectRef): Promise<OutputOf<typeof findClosedExternalIssues>> {
    return this.client.call(findClosedExternalIssues, { texts }, { project: target });
  }

  /** Texts that may name issues to close. */
  async textsOf(mergeRequest: MergeRequestDocument, target: ProjectRef): Promise<string[]> {
    const { items } = await this.git.listCommits(mergeRequest, target, { per_page: readCommits });
    return [mergeRequest.description ?? '', ...items.map(({ message }) => message)];
  }
}
