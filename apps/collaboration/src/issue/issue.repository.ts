import { type Caller, issueErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueDocument } from './issue.schema';
import { isHiddenFrom } from './visible-issues';

/** Single issues; lists are in {@link IssueList}. */
@Injectable()
export class Issues {
  constructor(@InjectModel('Issue') readonly model: Model<IssueDocument>) {}

  /** By its number in a project, as the caller may see it. @throws issue.not_found */
  async get(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    const issue = await this.model.findOne({ projectId: project.id, iid }).lean<IssueDocument>();
    if (!issue || isHiddenFrom(issue, caller, project.accessLevel)) throw issueErrors.notFound();
    return issue;
  }

  /** By its global id. @throws issue.not_found */
  async getById(id: number): Promise<IssueDocument> {
    const issue = await this.model.findById(id).lean<IssueDocument>();
    if (!issue) throw issueErrors.notFound();
    return issue;
  }
}
