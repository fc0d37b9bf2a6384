import type { NoteableType } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LabelEventDocument } from './label-event.schema';
import type { NoteDocument } from './note.schema';

/** Removes notes and label events of records that are gone. */
@Injectable()
export class RemoveActivity {
  constructor(
    @InjectModel('Note') private readonly notes: Model<NoteDocument>,
    @InjectModel('LabelEvent') private readonly labelEvents: Model<LabelEventDocument>,
  ) {}

  /** May run again for the same records. */
  async removeFrom(type: NoteableType, ids: number[]): Promise<void> {
    await this.notes.deleteMany({ noteableType: type, noteableId: { $in: ids } });
    if (type !== 'Snippet') await this.labelEvents.deleteMany({ resourceType: type, resourceId: { $in: ids } });
  }
}
