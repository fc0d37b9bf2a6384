import { issueLinkErrors } from '@moothall/contracts';
import { RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LinkDocument } from './link.schema';
import { Links } from './links';

/** Every query on links between issues. */
@Injectable()
export class IssueLinks extends Links {
  constructor(@InjectModel('IssueLink') model: Model<LinkDocument>, ids: RecordIds) {
    super(model, ids, issueLinkErrors);
  }

  /** Those by which some issues block others. */
  listBlockingFrom(issueIds: number[]): Promise<Pick<LinkDocument, 'sourceId' | 'targetId'>[]> {
    return this.model
      .find({ sourceId: { $in: issueIds }, type: 'blocks' }, { sourceId: 1, targetId: 1 })
      .lean<LinkDocument[]>()
      .exec();
  }
}
