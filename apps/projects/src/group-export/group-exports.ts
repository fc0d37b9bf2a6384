import { Counters } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { GroupExportDocument } from './group-export.schema';

/** Every query on exports, and the archives they name. */
@Injectable()
export class GroupExports {
  constructor(
    @InjectModel('GroupExport') readonly model: Model<GroupExportDocument>,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  async add(groupId: number, userId: number): Promise<GroupExportDocument> {
    const _id = await this.counters.next('group_exports');
    return (await this.model.create({ _id, groupId, userId, status: 'queued' })).toObject();
  }

  async latest(groupId: number): Promise<GroupExportDocument | null> {
    return this.model.findOne({ groupId }).sort({ _id: -1 }).lean<GroupExportDocument>();
  }

  async set(id: number, change: Partial<GroupExportDocument>): Promise<void> {
    await this.model.updateOne({ _id: id }, { $set: change });
  }

  async unfinished(): Promise<GroupExportDocument[]> {
    return this.model.find({ status: { $in: ['queued', 'started'] } }).lean<GroupExportDocument[]>();
  }

  /** Removes exports of a group that came before another. */
  async supersede({ _id, groupId }: GroupExportDocument): Promise<void> {
    await this.remove(await this.model.find({ groupId, _id: { $lt: _id } }).lean<GroupExportDocument[]>());
  }

  async removeFinishedBefore(deadline: Date): Promise<void> {
    const done = { status: { $in: ['finished', 'failed'] }, createdAt: { $lt: deadline } };
    await this.remove(await this.model.find(done as never).lean<GroupExportDocument[]>());
  }

  async forget(groupId: number): Promise<void> {
    await this.remove(await this.model.find({ groupId }).lean<GroupExportDocument[]>());
  }

  private async remove(exports: GroupExportDocument[]): Promise<void> {
    for (const { _id, key } of exports) {
      await this.model.deleteOne({ _id });
      if (key) await this.storage.remove(key);
    }
  }
}
