import { issueLinkErrors } from '@moothall/contracts';
import { FieldReads, RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LinkDocument } from './link.schema';
import { Links } from './links';

/** Every query on links between issues. */
@Injectable()
export class IssueLinks extends Links {
  private readonly blocking: FieldReads<LinkDocument, 'sourceId'>;

  constructor(@InjectModel('IssueLink') model: Model<LinkDocument>, ids: RecordIds) {
    super(model, ids, issueLinkErrors);
    this.blocking = new FieldReads(model, 'sourceId', {
      filter: { type: 'blocks' },
      projection: { sourceId: 1, targetId: 1 },
    });
  }

  /** Links by which the given issues block others. */
  async listBlockingFrom(issueIds: number[]): Promise<Pick<LinkDocument, 'sourceId' | 'targetId'>[]> {
    return [...(await this.blocking.findAll(issueIds)).values()].flat();
  }
}
