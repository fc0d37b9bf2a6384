import type { NotePosition } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import type { NoteableFinder } from '../note/noteable';

type Paging = Parameters<DiscussionActions['list']>[1];
type NewNote = Parameters<DiscussionActions['reply']>[2];
type Beginnings = Parameters<DiscussionActions['listBeginnings']>[1];
type OnLines = Parameters<DiscussionActions['listOnLines']>[1];
type NoteChange = Parameters<DiscussionActions['updateNote']>[3];

interface InDiscussion {
  discussion_id: string;
}

interface OnNote extends InDiscussion {
  note_id: number;
}

/** Discussions of one kind of record; those of merge requests have a position in the changes and can be resolved. */
@Injectable()
export class DiscussionController<Context, Named> {
  constructor(
    private readonly noteables: NoteableFinder<Context, Named>,
    private readonly discussions: DiscussionActions,
  ) {}

  async list(context: Context, input: Named & Paging) {
    return this.discussions.list(await this.noteables.find(context, input), input);
  }

  async listBeginnings(context: Context, input: Named & Beginnings) {
    return this.discussions.listBeginnings(await this.noteables.find(context, input), input);
  }

  async listOnLines(context: Context, input: Named & OnLines) {
    return this.discussions.listOnLines(await this.noteables.find(context, input), input);
  }

  async get(context: Context, input: Named & InDiscussion) {
    return this.discussions.get(await this.noteables.find(context, input), input.discussion_id);
  }

  async create(context: Context, input: Named & NewNote & { position?: NotePosition | undefined }) {
    return this.discussions.create(await this.noteables.find(context, input), input, input.position);
  }

  async reply(context: Context, input: Named & InDiscussion & NewNote) {
    return this.discussions.reply(await this.noteables.find(context, input), input.discussion_id, input);
  }

  async getNote(context: Context, input: Named & OnNote) {
    return this.discussions.getNote(await this.noteables.find(context, input), input.discussion_id, input.note_id);
  }

  async updateNote(context: Context, input: Named & OnNote & NoteChange) {
    const noteable = await this.noteables.find(context, input);
    return this.discussions.updateNote(noteable, input.discussion_id, input.note_id, input);
  }

  async removeNote(context: Context, input: Named & OnNote): Promise<void> {
    const noteable = await this.noteables.find(context, input);
    await this.discussions.removeNote(noteable, input.discussion_id, input.note_id);
  }

  async resolve(context: Context, input: Named & InDiscussion & { resolved: boolean }) {
    const noteable = await this.noteables.find(context, input);
    return this.discussions.resolve(noteable, input.discussion_id, input.resolved);
  }
}
