import {
  type ContextOf,
  createSnippetDiscussion,
  deleteSnippetDiscussionNote,
  getSnippetDiscussion,
  getSnippetDiscussionNote,
  listSnippetDiscussions,
  type ParsedOf,
  replyToSnippetDiscussion,
  updateSnippetDiscussionNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import { SnippetNoteable } from './snippet-noteable';

type Context = ContextOf<typeof listSnippetDiscussions>;

/** Discussions of snippets. */
@Controller()
export class SnippetDiscussions {
  constructor(
    private readonly discussions: DiscussionActions,
    private readonly noteables: SnippetNoteable,
  ) {}

  @Handles(listSnippetDiscussions)
  async list(context: Context, input: ParsedOf<typeof listSnippetDiscussions>) {
    return this.discussions.list(await this.noteables.find(context, input.snippet_id), input);
  }

  @Handles(getSnippetDiscussion)
  async get(context: Context, input: ParsedOf<typeof getSnippetDiscussion>) {
    return this.discussions.get(await this.noteables.find(context, input.snippet_id), input.discussion_id);
  }

  @Handles(createSnippetDiscussion)
  async create(context: Context, input: ParsedOf<typeof createSnippetDiscussion>) {
    return this.discussions.create(await this.noteables.find(context, input.snippet_id), input);
  }

  @Handles(replyToSnippetDiscussion)
  async reply(context: Context, input: ParsedOf<typeof replyToSnippetDiscussion>) {
    return this.discussions.reply(await this.noteables.find(context, input.snippet_id), input.discussion_id, input);
  }

  @Handles(getSnippetDiscussionNote)
  async getNote(context: Context, input: ParsedOf<typeof getSnippetDiscussionNote>) {
    return this.discussions.getNote(
      await this.noteables.find(context, input.snippet_id),
      input.discussion_id,
      input.note_id,
    );
  }

  @Handles(updateSnippetDiscussionNote)
  async updateNote(context: Context, input: ParsedOf<typeof updateSnippetDiscussionNote>) {
    const noteable = await this.noteables.find(context, input.snippet_id);
    return this.discussions.updateNote(noteable, input.discussion_id, input.note_id, input);
  }

  @Handles(deleteSnippetDiscussionNote)
  async removeNote(context: Context, input: ParsedOf<typeof deleteSnippetDiscussionNote>) {
    await this.discussions.removeNote(
      await this.noteables.find(context, input.snippet_id),
      input.discussion_id,
      input.note_id,
    );
  }
}
