import { type ProcessMode, resourceGroupErrors } from '@moothall/contracts';
import { Counters, findPage, isDuplicateKey } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ResourceGroup } from './resource-group.schema';

/** Every query on resource groups. */
@Injectable()
export class ResourceGroups {
  constructor(
    @InjectModel('ResourceGroup') readonly model: Model<ResourceGroup>,
    private readonly counters: Counters,
  ) {}

  page(projectId: number, input: { page: number; per_page: number }) {
    return findPage(this.model, { projectId }, { _id: 1 }, input);
  }

  find(projectId: number, key: string): Promise<ResourceGroup | null> {
    return this.model.findOne({ projectId, key }).lean<ResourceGroup>();
  }

  /** @throws resource_group.not_found */
  async get(projectId: number, key: string): Promise<ResourceGroup> {
    const found = await this.find(projectId, key);
    if (!found) throw resourceGroupErrors.notFound();
    return found;
  }

  /** Creates missing ones. */
  async ensure(projectId: number, keys: readonly string[]): Promise<void> {
    const wanted = [...new Set(keys)];
    if (wanted.length === 0) return;
    const found = await this.model.find({ projectId, key: { $in: wanted } }).lean<ResourceGroup[]>();
    const known = new Set(found.map(({ key }) => key));
    for (const key of wanted.filter((one) => !known.has(one))) {
      const _id = await this.counters.next('resource groups');
      await this.model.create({ _id, projectId, key, processMode: 'unordered' }).catch((error: unknown) => {
        if (!isDuplicateKey(error, 'key')) throw error;
      });
    }
  }

  /** @throws resource_group.not_found */
  async setMode(projectId: number, key: string, processMode: ProcessMode): Promise<ResourceGroup> {
    const found = await this.model
      .findOneAndUpdate({ projectId, key }, { $set: { processMode } }, { returnDocument: 'after' })
      .lean<ResourceGroup>();
    if (!found) throw resourceGroupErrors.notFound();
    return found;
  }

  /** @returns whether it was free, and is the job's now */
  async take({ _id }: ResourceGroup, jobId: number): Promise<boolean> {
    const { modifiedCount } = await this.model.updateOne(
      { _id, holderJobId: { $exists: false } },
      { $set: { holderJobId: jobId } },
      { timestamps: false },
    );
    return modifiedCount > 0;
  }

  /** Does nothing if another job owns it by now. */
  async release({ _id }: ResourceGroup, jobId: number): Promise<void> {
    await this.model.updateOne({ _id, holderJobId: jobId }, { $unset: { holderJobId: 1 } }, { timestamps: false });
  }

  /** Groups with an owner. */
  held(): AsyncIterable<ResourceGroup> {
    return this.model
      .find({ holderJobId: { $gt: 0 } })
      .lean<ResourceGroup>()
      .cursor();
  }

  async removeOfProject(projectId: number): Promise<void> {
    await this.model.deleteMany({ projectId });
  }
}
