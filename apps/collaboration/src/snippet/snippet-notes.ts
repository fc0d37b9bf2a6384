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
import type { Model } from 'mongoose';
import { NoteActions } from '../note/note-actions';
import type { Noteable, NoteableDocument } from '../noteable/noteable';
import { Snippets } from './snippet.repository';
import type { SnippetDocument } from './snippet.schema';

type Context = ContextOf<typeof listSnippetNotes>;

/** Notes of a project's snippets. */
@Controller()
export class SnippetNotes {
  constructor(
    private readonly snippets: Snippets,
    private readonly notes: NoteActions,
  ) {}

  @Handles(listSnippetNotes)
  async list(context: Context, input: ParsedOf<typeof listSnippetNotes>) {
    return this.notes.list(this.noteable(await this.find(context, input.snippet_id), context), input);
  }

  @Handles(getSnippetNote)
  async get(context: Context, input: ParsedOf<typeof getSnippetNote>) {
    const snippet = await this.find(context, input.snippet_id);
    const note = await this.notes.get(this.noteable(snippet, context), input.note_id);
    return { ...note, title: snippet.title, file_name: snippet.files[0]?.path ?? null, expires_at: null };
  }

  @Handles(createSnippetNote)
  async create(context: Context, input: ParsedOf<typeof createSnippetNote>) {
    return this.notes.create(this.noteable(await this.find(context, input.snippet_id), context), input);
  }

  @Handles(updateSnippetNote)
  async update(context: Context, input: ParsedOf<typeof updateSnippetNote>) {
    return this.notes.update(this.noteable(await this.find(context, input.snippet_id), context), input.note_id, input);
  }

  @Handles(deleteSnippetNote)
  async remove(context: Context, input: ParsedOf<typeof deleteSnippetNote>) {
    await this.notes.remove(this.noteable(await this.find(context, input.snippet_id), context), input.note_id);
  }

  private find({ project, caller }: Context, id: number): Promise<SnippetDocument> {
    return this.snippets.get(project, id, caller);
  }

  private noteable(snippet: SnippetDocument, { project, caller }: Context): Noteable {
    return {
      subject: { type: 'Snippet', id: snippet._id, iid: null, projectId: snippet.projectId, groupId: null },
      document: snippet,
      model: this.snippets.model as unknown as Model<NoteableDocument>,
      caller,
      accessLevel: project.accessLevel,
      isArchived: project.isArchived,
      takesConfidentialNotes: false,
      commands: new Set(),
      apply: async () => ({ changes: {}, summary: [] }),
    };
  }
}
