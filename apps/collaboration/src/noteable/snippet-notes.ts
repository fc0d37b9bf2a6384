import {
  createSnippetNote,
  deleteSnippetNote,
  getSnippetNote,
  listSnippetNotes,
  type ParsedOf,
  updateSnippetNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import type { InProject } from '../note/noteable';
import { NoteController } from './note-controller';
import { SnippetNoteable } from './snippet-noteable';

/** Notes of a project's snippets. A single one has title and file of the snippet. */
@Controller()
@HandlesEach({
  list: listSnippetNotes,
  get: getSnippetNote,
  create: createSnippetNote,
  update: updateSnippetNote,
  remove: deleteSnippetNote,
})
export class SnippetNotes extends NoteController<InProject, { snippet_id: number }> {
  constructor(
    notes: NoteActions,
    protected override readonly noteables: SnippetNoteable,
  ) {
    super(notes, noteables);
  }

  override async get(context: InProject, input: ParsedOf<typeof getSnippetNote>) {
    const noteable = await this.noteables.find(context, input);
    const { title, files } = noteable.snippet;
    const note = await this.notes.get(noteable, input.note_id);
    return { ...note, title, file_name: files[0]?.path ?? null, expires_at: null };
  }
}
