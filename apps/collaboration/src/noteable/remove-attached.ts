import type { NoteableType } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IssueLinkDocument } from '../issue-link/issue-link.schema';
import type { LabelEventDocument } from '../label-event/label-event.schema';
import type { MergeRequestVersionDocument } from '../merge-request/merge-request.schema';
import type { NoteDocument } from '../note/note.schema';

/** Removes notes, label events, versions and links of records that are gone. */
@Injectable()
export class RemoveAttached {
  constructor(
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('LabelEvent') private readonly labelEvents: Model<LabelEventDocument>,
    @InjectModel('IssueLink') private readonly links: Model<IssueLinkDocument>,
    @InjectModel('MergeRequestVersion') private readonly versions: Model<MergeRequestVersionDocument>,
  ) {}

  /** May run again for the same records. */
  async of(type: NoteableType, ids: number[]): Promise<void> {
    await this.notes.deleteMany({ noteableType: type, noteableId: { $in: ids } });
    if (type === 'Issue')
      await this.links.deleteMany({ $or: [{ sourceId: { $in: ids } }, { targetId: { $in: ids } }] });
    if (type === 'MergeRequest') await this.versions.deleteMany({ mergeRequestId: { $in: ids } });
    if (type !== 'Snippet') await this.labelEvents.deleteMany({ resourceType: type, resourceId: { $in: ids } });
  }
}
