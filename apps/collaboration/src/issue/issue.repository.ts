import { type Caller, issueErrors, type ProjectRef } from '@moothall/contracts';
import { PairReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { isHiddenFrom } from './visible-issues';

/** Single issues; lists are in {@link IssueList}. */
@Injectable()
export class Issues {
  private readonly reads: PairReads<IssueDocument, 'projectId', 'iid'>;
  private readonly readsForNotes: PairReads<IssueDocument, 'projectId', 'iid'>;

  constructor(@InjectModel('Issue') readonly model: Model<IssueDocument>) {
    this.reads = new PairReads(model, 'projectId', 'iid');
    this.readsForNotes = new PairReads(model, 'projectId', 'iid', { description: 0 });
  }

  /** By number in a project, if the caller may see it. @throws issue.not_found */
  async get(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.model.findOne({ projectId: project.id, iid }).lean<IssueDocument>(), project, caller);
  }

  /**
   * The same for display. Concurrent calls share one query; the result is shared and must not be changed. @throws
   * issue.not_found
   */
  async getToShow(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.reads.find(project.id, iid), project, caller);
  }

  /** The same without the description, which notes do not need. @throws issue.not_found */
  async getForNotes(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return shown(await this.readsForNotes.find(project.id, iid), project, caller);
  }

  /** By its global id. @throws issue.not_found */
  async getById(id: number): Promise<IssueDocument> {
    const issue = await this.model.findById(id).lean<IssueDocument>();
    if (!issue) throw issueErrors.notFound();
    return issue;
  }
}

/** @throws issue.not_found, also if the caller may not see it */
function shown(issue: IssueDocument | null, project: ProjectRef, caller: Caller | undefined): IssueDocument {
  if (!issue || isHiddenFrom(issue, caller, project.accessLevel)) throw issueErrors.notFound();
  return issue;
}
