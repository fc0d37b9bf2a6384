import {
  createMergeRequestNote,
  deleteMergeRequestNote,
  getMergeRequestNote,
  listMergeRequestNotes,
  updateMergeRequestNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import type { InProject } from '../note/noteable';
import { MergeRequestNoteable } from './merge-request-noteable';
import { NoteController } from './note-controller';

/** Notes of merge requests. */
@Controller()
@HandlesEach({
  list: listMergeRequestNotes,
  get: getMergeRequestNote,
  create: createMergeRequestNote,
  update: updateMergeRequestNote,
  remove: deleteMergeRequestNote,
})
export class MergeRequestNotes extends NoteController<InProject, { merge_request_iid: number }> {
  constructor(notes: NoteActions, noteables: MergeRequestNoteable) {
    super(notes, noteables);
  }
}
