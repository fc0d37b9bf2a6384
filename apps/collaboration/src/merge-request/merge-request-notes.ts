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
import { NoteController } from '../note/note-controller';
import type { InProject } from '../noteable/noteable';
import { MergeRequestNoteable } from './merge-request-noteable';

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
