import { Counters } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { ArchiveExports } from '../../archive/archive-exports';
import type { GroupExportDocument } from './group-export.schema';

/** Every query on exports of groups. */
@Injectable()
export class GroupExports extends ArchiveExports<GroupExportDocument> {
  constructor(
    @InjectModel('GroupExport') model: Model<GroupExportDocument>,
    private readonly counters: Counters,
    storage: ObjectStorage,
  ) {
    super(model, storage, 'groupId', 'group-exports');
  }

  async add(groupId: number, userId: number): Promise<GroupExportDocument> {
    const _id = await this.counters.next('group_exports');
    return (await this.model.create({ _id, groupId, userId, status: 'queued' })).toObject();
  }
}
