import { changeDocument, isDuplicateKey, PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ApprovalRule, ApprovalSettingsDocument } from './approval-settings.schema';

type Switches = Pick<ApprovalSettingsDocument, 'keepsRules' | 'refusesAuthors' | 'resetsOnPush'>;

/** How projects want their merge requests approved. */
@Injectable()
export class ApprovalSettingsOfProjects {
  private readonly byId: PointReads<ApprovalSettingsDocument>;

  constructor(@InjectModel('ApprovalSettings') readonly model: Model<ApprovalSettingsDocument>) {
    this.byId = new PointReads(model);
  }

  /** By project; those that never said anything are left out. Shared, and not to be changed. */
  find(projectIds: Iterable<number>): Promise<Map<number, ApprovalSettingsDocument>> {
    return this.byId.findAll(projectIds);
  }

  async get(projectId: number): Promise<ApprovalSettingsDocument> {
    return (await this.find([projectId])).get(projectId) ?? { _id: projectId, rules: [] };
  }

  /** Changes the rules by what they are. @returns what was made of them */
  async changeRules(
    projectId: number,
    change: (rules: ApprovalRule[]) => ApprovalRule[],
    switches: Switches = {},
  ): Promise<ApprovalSettingsDocument> {
    await this.ensure(projectId);
    const changed = await changeDocument(this.model, { _id: projectId }, ['rules'], (current) => {
      const set = { ...switches, rules: change(current.rules) };
      return { $set: set };
    });
    return changed ?? this.get(projectId);
  }

  async set(projectId: number, switches: Switches): Promise<void> {
    await this.ensure(projectId);
    await this.model.updateOne({ _id: projectId }, { $set: switches });
  }

  private async ensure(_id: number): Promise<void> {
    await this.model.updateOne({ _id }, { $setOnInsert: { rules: [] } }, { upsert: true }).catch((error: unknown) => {
      // Another one was first.
      if (!isDuplicateKey(error)) throw error;
    });
  }
}
