import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { keyParts, type SourceKey } from '../member/source';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { ShareDocument } from './share.schema';

/** Every query on shares, but those of grants. */
@Injectable()
export class Shares {
  constructor(@InjectModel('Share') readonly model: Model<ShareDocument>) {}

  async ofMany(sources: SourceKey[]): Promise<ShareDocument[]> {
    return this.model
      .find({ source: { $in: sources } })
      .sort({ createdAt: 1 })
      .lean<ShareDocument[]>();
  }

  /** Ids of the projects that a group was invited to. */
  async projectsSharedWith(groupId: number): Promise<number[]> {
    const shares = await this.model.find({ groupId }).lean<ShareDocument[]>();
    return shares
      .map(({ source }) => keyParts(source))
      .filter(({ kind }) => kind === 'project')
      .map(({ id }) => id);
  }

  /** The groups above an invited group changed: their members are invited now. */
  async follow(group: NamespaceDocument): Promise<void> {
    await this.model.updateMany({ groupId: group._id }, { $set: { groupIds: [group._id, ...group.ancestorIds] } });
  }

  /** Forgets all shares of what is gone, and a group that is gone in all shares. */
  async forget(source: SourceKey, groupId?: number): Promise<void> {
    await this.model.deleteMany({ source });
    if (groupId !== undefined) await this.model.deleteMany({ groupId });
  }
}
