import { commonErrors, jobTokenScopeErrors, present } from '@moothall/contracts';
import { changeDocument } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type JobTokenScopeDocument, mostListed } from './job-token-scope.schema';

/** Projects and groups of one list together, as the v4 interface has it. */
type List = 'projectIds' | 'groupIds';

/** Every query on job token scopes. */
@Injectable()
export class JobTokenScopes {
  constructor(@InjectModel('JobTokenScope') readonly model: Model<JobTokenScopeDocument>) {}

  /** The stored scope, or the default. */
  async get(projectId: number): Promise<JobTokenScopeDocument> {
    const found = await this.model.findById(projectId).lean<JobTokenScopeDocument>();
    return found ?? { _id: projectId, isLimited: true, projectIds: [], groupIds: [] };
  }

  async limit(projectId: number, isLimited: boolean): Promise<void> {
    await this.model.updateOne({ _id: projectId }, { $set: { isLimited } }, { upsert: true });
  }

  /** @throws job_token_scope.taken; job_token_scope.full */
  async add(projectId: number, list: List, id: number): Promise<void> {
    await this.model.updateOne({ _id: projectId }, { $setOnInsert: { isLimited: true } }, { upsert: true });
    const changed = await changeDocument(this.model, { _id: projectId }, ['projectIds', 'groupIds'], (scope) => {
      if (scope[list].includes(id)) throw jobTokenScopeErrors.taken();
      if (scope.projectIds.length + scope.groupIds.length >= mostListed) throw jobTokenScopeErrors.full();
      return { $set: { [list]: [...scope[list], id] } };
    });
    present(changed, 'what a project says of the jobs of others');
  }

  /** @throws common.not_found if it is not listed */
  async remove(projectId: number, list: List, id: number): Promise<void> {
    const { modifiedCount } = await this.model.updateOne({ _id: projectId, [list]: id }, { $pull: { [list]: id } });
    if (modifiedCount === 0) throw commonErrors.notFound();
  }

  /** @param job the project of the job that presents its token to another project */
  async letsIn(projectId: number, job: { _id: number; groupIds: number[] }): Promise<boolean> {
    const { isLimited, projectIds, groupIds } = await this.get(projectId);
    return !isLimited || projectIds.includes(job._id) || groupIds.some((id) => job.groupIds.includes(id));
  }

  async forgetProject(id: number): Promise<void> {
    await this.model.deleteOne({ _id: id });
    await this.model.updateMany({ projectIds: id }, { $pull: { projectIds: id } });
  }

  async forgetGroup(id: number): Promise<void> {
    await this.model.updateMany({ groupIds: id }, { $pull: { groupIds: id } });
  }
}
