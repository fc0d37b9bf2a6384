import { Injectable } from '@nestjs/common';
import type { Model } from 'mongoose';
import type { Awardable } from '../activity/awardable';
import type { AwardTarget } from '../award/award-actions';
import { Notes } from '../note/note.repository';
import type { Noteable } from '../note/noteable';

type AwardModel = Model<Awardable & { _id: number }>;

/** Records with notes take awards, and so do the notes. */
@Injectable()
export class AwardableResolver {
  constructor(private readonly notes: Notes) {}

  resolve({ subject, document, model, caller, isArchived }: Noteable): AwardTarget {
    return { type: subject.type, document, model: model as unknown as AwardModel, caller, isArchived };
  }

  /** @throws common.not_found */
  async resolveNote(noteable: Noteable, noteId: number): Promise<AwardTarget> {
    const document = await this.notes.get(noteable, noteId);
    const { caller, isArchived } = noteable;
    return { type: 'Note', document, model: this.notes.model as unknown as AwardModel, caller, isArchived };
  }
}
