import { epicErrors } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { NoteSubject } from '../activity/new-note';
import type { IssuableKind } from '../issuable/change-issuable';
import type { EpicDocument } from './epic.schema';

/** Epics as the code that they share with issues and merge requests needs them. */
@Injectable()
export class EpicKind implements IssuableKind<EpicDocument> {
  readonly type = 'Epic';
  readonly noun = 'epic';
  readonly gone = epicErrors.notFound;

  constructor(@InjectModel('Epic') readonly model: Model<EpicDocument>) {}

  subjectOf({ _id, iid, groupId }: EpicDocument): NoteSubject {
    return { type: this.type, id: _id, iid, projectId: null, groupId };
  }

  /** Webhooks have no event for epics. */
  eventOf(): undefined {
    return undefined;
  }
}
