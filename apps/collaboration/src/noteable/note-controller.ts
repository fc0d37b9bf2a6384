import type { Note } from '@moothall/contracts';
import type { NoteActions } from '../note/note-actions';
import type { NoteableFinder } from '../note/noteable';

type List = Parameters<NoteActions['list']>[1];
type NewNote = Parameters<NoteActions['create']>[1];
type NoteChange = Parameters<NoteActions['update']>[2];

interface OnNote {
  note_id: number;
}

/** Notes of one kind of record, which says by HandlesEach what is answered by which method. */
export abstract class NoteController<Context, Named> {
  constructor(
    protected readonly notes: NoteActions,
    protected readonly noteables: NoteableFinder<Context, Named>,
  ) {}

  async list(context: Context, input: Named & List) {
    return this.notes.list(await this.noteables.find(context, input), input);
  }

  async get(context: Context, input: Named & OnNote): Promise<Note> {
    return this.notes.get(await this.noteables.find(context, input), input.note_id);
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
