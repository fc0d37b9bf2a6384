import { epicLinkErrors } from '@moothall/contracts';
import { RecordIds } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LinkDocument } from './link.schema';
import { Links } from './links';

/** Every query on links between epics. */
@Injectable()
export class EpicLinks extends Links {
  constructor(@InjectModel('EpicLink') model: Model<LinkDocument>, ids: RecordIds) {
    super(model, ids, epicLinkErrors);
  }
}
