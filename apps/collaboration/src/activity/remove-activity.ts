import type { NoteableType } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import type { DraftNoteDocument } from './draft-note.schema';
import type { NoteDocument } from './note.schema';
import { resourceEventModels } from './resource-event.schema';

/** Removes notes, drafts and resource events of deleted records. */
@Injectable()
export class RemoveActivity {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('DraftNote') private readonly drafts: Model<DraftNoteDocument>,
  ) {}

  /** Idempotent. */
  async removeFrom(type: NoteableType, ids: number[]): Promise<void> {
    await this.notes.deleteMany({ noteableType: type, noteableId: { $in: ids } });
    if (type === 'MergeRequest') await this.drafts.deleteMany({ mergeRequestId: { $in: ids } });
    if (type === 'Snippet' || type === 'Commit') return;
    for (const { name } of resourceEventModels) {
      await this.connection.model(name).deleteMany({ resourceType: type, resourceId: { $in: ids } });
    }
  }
}
