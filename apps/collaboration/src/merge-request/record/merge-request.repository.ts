import { mergeRequestErrors, type ProjectRef } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MergeRequestDocument } from './merge-request.schema';

/** Single merge requests; lists are in {@link ListMergeRequests}. */
@Injectable()
export class MergeRequests {
  constructor(@InjectModel('MergeRequest') readonly model: Model<MergeRequestDocument>) {}

  /** By its number in the target project. @throws merge_request.not_found */
  async get(project: Pick<ProjectRef, 'id'>, iid: number): Promise<MergeRequestDocument> {
    const found = await this.model.findOne({ projectId: project.id, iid }).lean<MergeRequestDocument>();
    if (!found) throw mergeRequestErrors.notFound();
    return found;
  }

  async find(id: number): Promise<MergeRequestDocument | null> {
    return this.model.findById(id).lean<MergeRequestDocument>();
  }

  async list(ids: number[]): Promise<MergeRequestDocument[]> {
    return this.model.find({ _id: { $in: ids } }).lean<MergeRequestDocument[]>();
  }

  async findByOpenKey(openKey: string): Promise<MergeRequestDocument | null> {
    return this.model.findOne({ openKey }).lean<MergeRequestDocument>();
  }

  /** The newest open one of each branch, within a project. */
  async listNewestOpen(projectId: number, branches: string[]): Promise<{ _id: string; iid: number }[]> {
    return this.model.aggregate<{ _id: string; iid: number }>([
      { $match: { sourceProjectId: projectId, sourceBranch: { $in: branches }, state: 'opened', projectId } },
      { $group: { _id: '$sourceBranch', iid: { $max: '$iid' } } },
    ]);
  }
}
