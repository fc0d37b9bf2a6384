import { rm } from 'node:fs/promises';
import { Counters } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { GroupExportDocument } from './group-export.schema';

/** Under which the archive of an export is stored. */
export const archiveKeyOf = (exportId: number): string => `group-exports/${exportId}.tar.gz`;

/** Every query on exports, and the files they stand for. */
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

  /** @returns false when the export is gone, with its group */
  async set(id: number, change: Partial<GroupExportDocument>): Promise<boolean> {
    return (await this.model.updateOne({ _id: id }, { $set: change })).matchedCount === 1;
  }

  async unfinished(): Promise<GroupExportDocument[]> {
    const left: QueryFilter<GroupExportDocument> = {
      $or: [{ status: { $in: ['queued', 'started'] } }, { status: 'finished', isTold: false }],
    };
    return this.model.find(left).lean<GroupExportDocument[]>();
  }

  /** Removes exports of a group that came before another. */
  async supersede({ _id, groupId }: GroupExportDocument): Promise<void> {
    await this.remove(await this.model.find({ groupId, _id: { $lt: _id } }).lean<GroupExportDocument[]>());
  }

  async removeFinishedBefore(deadline: Date): Promise<void> {
    const done: QueryFilter<GroupExportDocument> = {
      status: { $in: ['finished', 'failed'] },
      createdAt: { $lt: deadline },
    };
    await this.remove(await this.model.find(done).lean<GroupExportDocument[]>());
  }

  async forget(groupId: number): Promise<void> {
    await this.remove(await this.model.find({ groupId }).lean<GroupExportDocument[]>());
  }

  private async remove(exports: GroupExportDocument[]): Promise<void> {
    for (const one of exports) {
      await this.removeFiles(one);
      await this.model.deleteOne({ _id: one._id });
    }
  }

  /** What runs of it have written so far. */
  async removeFiles({ _id, folder }: GroupExportDocument): Promise<void> {
    if (folder) await rm(folder, { recursive: true, force: true });
    await this.storage.remove(archiveKeyOf(_id));
  }
}
