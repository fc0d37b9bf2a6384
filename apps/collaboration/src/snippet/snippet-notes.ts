import {
  type ContextOf,
  createSnippetNote,
  deleteSnippetNote,
  getSnippetNote,
  listSnippetNotes,
  type ParsedOf,
  updateSnippetNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import { SnippetNoteable } from './snippet-noteable';

/** Notes of a project's snippets. */
@Controller()
export class SnippetNotes {
  constructor(
    private readonly notes: NoteActions,
    private readonly noteables: SnippetNoteable,
  ) {}

  @Handles(listSnippetNotes)
  async list(context: ContextOf<typeof listSnippetNotes>, input: ParsedOf<typeof listSnippetNotes>) {
    return this.notes.list(await this.noteables.find(context, input.snippet_id), input);
  }

  @Handles(getSnippetNote)
  async get(context: ContextOf<typeof getSnippetNote>, input: ParsedOf<typeof getSnippetNote>) {
    const noteable = await this.noteables.find(context, input.snippet_id);
    const { title, files } = noteable.snippet;
    const note = await this.notes.get(noteable, input.note_id);
    return { ...note, title, file_name: files[0]?.path ?? null, expires_at: null };
  }

  @Handles(createSnippetNote)
  async create(context: ContextOf<typeof createSnippetNote>, input: ParsedOf<typeof createSnippetNote>) {
    return this.notes.create(await this.noteables.find(context, input.snippet_id), input);
  }

  @Handles(updateSnippetNote)
  async update(context: ContextOf<typeof updateSnippetNote>, input: ParsedOf<typeof updateSnippetNote>) {
    return this.notes.update(await this.noteables.find(context, input.snippet_id), input.note_id, input);
  }

  @Handles(deleteSnippetNote)
  async remove(context: ContextOf<typeof deleteSnippetNote>, input: ParsedOf<typeof deleteSnippetNote>) {
    await this.notes.remove(await this.noteables.find(context, input.snippet_id), input.note_id);
  }
}
