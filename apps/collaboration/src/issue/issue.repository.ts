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
    return this.find(project, iid, caller, { journal: 0, outbox: 0 });
  }

  /** The same without its text, which notes do not need. @throws issue.not_found */
  async getForNotes(project: ProjectRef, iid: number, caller: Caller | undefined): Promise<IssueDocument> {
    return this.find(project, iid, caller, { journal: 0, outbox: 0, description: 0 });
  }

  /** Past Mongoose, which costs as much as the query itself; notes are read and written more often than all else. */
  private async find(
    project: ProjectRef,
    iid: number,
    caller: Caller | undefined,
    projection: Record<string, 0>,
  ): Promise<IssueDocument> {
    const found = await this.model.collection.findOne({ projectId: project.id, iid }, { projection });
    const issue = found as IssueDocument | null;
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
