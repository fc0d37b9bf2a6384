import {
  createEpicNote,
  deleteEpicNote,
  getEpicNote,
  listEpicNotes,
  type ParsedOf,
  updateEpicNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import type { InGroup } from '../note/noteable';
import { EpicNoteable } from './epic-noteable';
import { NoteController } from './note-controller';

/** Notes of epics. A single one has the fields of docs/api/notes.md#6 beside its own. */
@Controller()
@HandlesEach({
  list: listEpicNotes,
  get: getEpicNote,
  create: createEpicNote,
  update: updateEpicNote,
  remove: deleteEpicNote,
})
export class EpicNotes extends NoteController<InGroup, { epic_id: number }> {
  constructor(notes: NoteActions, noteables: EpicNoteable) {
    super(notes, noteables);
  }

  override async get(context: InGroup, input: ParsedOf<typeof getEpicNote>) {
    const noteable = await this.noteables.find(context, input);
    const note = await this.notes.get(noteable, input.note_id);
    return { ...note, title: noteable.document.title, file_name: null, expires_at: null };
  }
}
