import { changeDocument, isDuplicateKey, PointReads } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { ApprovalRule, ApprovalSettingsDocument } from './approval-settings.schema';

type Switches = Pick<ApprovalSettingsDocument, 'keepsRules' | 'refusesAuthors' | 'resetsOnPush'>;

/** Approval settings of projects. */
@Injectable()
export class ApprovalSettingsOfProjects {
  private readonly byId: PointReads<ApprovalSettingsDocument>;

  constructor(@InjectModel('ApprovalSettings') readonly model: Model<ApprovalSettingsDocument>) {
    this.byId = new PointReads(model);
  }

  /** By project; projects without stored settings are left out. The result is shared and must not be changed. */
  find(projectIds: Iterable<number>): Promise<Map<number, ApprovalSettingsDocument>> {
    return this.byId.findAll(projectIds);
  }

  async get(projectId: number): Promise<ApprovalSettingsDocument> {
    return (await this.find([projectId])).get(projectId) ?? { _id: projectId, rules: [] };
  }

  /** Changes the rules, based on the current ones. @returns the result */
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
      // A concurrent request created them.
      if (!isDuplicateKey(error)) throw error;
    });
  }
}
