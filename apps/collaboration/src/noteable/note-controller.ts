import type { Note } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import type { NoteableFinder } from '../note/noteable';

type List = Parameters<NoteActions['list']>[1];
type NewNote = Parameters<NoteActions['create']>[1];
type NoteChange = Parameters<NoteActions['update']>[2];

interface OnNote {
  note_id: number;
}

/** Notes of one kind of record. */
@Injectable()
export class NoteController<Context, Named> {
  constructor(
    private readonly noteables: NoteableFinder<Context, Named>,
    private readonly notes: NoteActions,
  ) {}

  async list(context: Context, input: Named & List) {
    return this.notes.list(await this.noteables.find(context, input), input);
  }

  async get(context: Context, input: Named & OnNote): Promise<Note> {
    const noteable = await this.noteables.find(context, input);
    return { ...(await this.notes.get(noteable, input.note_id)), ...noteable.shownWithNote };
  }

  async create(context: Context, input: Named & NewNote) {
    return this.notes.create(await this.noteables.find(context, input), input);
  }

  async update(context: Context, input: Named & OnNote & NoteChange) {
    return this.notes.update(await this.noteables.find(context, input), input.note_id, input);
  }

  async remove(context: Context, input: Named & OnNote): Promise<void> {
    await this.notes.remove(await this.noteables.find(context, input), input.note_id);
  }
}
