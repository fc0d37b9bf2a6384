import {
  type ContextOf,
  createEpicDiscussion,
  deleteEpicDiscussionNote,
  getEpicDiscussion,
  getEpicDiscussionNote,
  listEpicDiscussions,
  type ParsedOf,
  replyToEpicDiscussion,
  updateEpicDiscussionNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import { EpicNoteable } from './epic-noteable';

type Context = ContextOf<typeof listEpicDiscussions>;

/** Discussions of epics. */
@Controller()
export class EpicDiscussions {
  constructor(
    private readonly discussions: DiscussionActions,
    private readonly noteables: EpicNoteable,
  ) {}

  @Handles(listEpicDiscussions)
  async list(context: Context, input: ParsedOf<typeof listEpicDiscussions>) {
    return this.discussions.list(await this.noteables.byId(context, input.epic_id), input);
  }

  @Handles(getEpicDiscussion)
  async get(context: Context, input: ParsedOf<typeof getEpicDiscussion>) {
    return this.discussions.get(await this.noteables.byId(context, input.epic_id), input.discussion_id);
  }

  @Handles(createEpicDiscussion)
  async create(context: Context, input: ParsedOf<typeof createEpicDiscussion>) {
    return this.discussions.create(await this.noteables.byId(context, input.epic_id), input);
  }

  @Handles(replyToEpicDiscussion)
  async reply(context: Context, input: ParsedOf<typeof replyToEpicDiscussion>) {
    return this.discussions.reply(await this.noteables.byId(context, input.epic_id), input.discussion_id, input);
  }

  @Handles(getEpicDiscussionNote)
  async getNote(context: Context, input: ParsedOf<typeof getEpicDiscussionNote>) {
    return this.discussions.getNote(
      await this.noteables.byId(context, input.epic_id),
      input.discussion_id,
      input.note_id,
    );
  }

  @Handles(updateEpicDiscussionNote)
  async updateNote(context: Context, input: ParsedOf<typeof updateEpicDiscussionNote>) {
    const noteable = await this.noteables.byId(context, input.epic_id);
    return this.discussions.updateNote(noteable, input.discussion_id, input.note_id, input);
  }

  @Handles(deleteEpicDiscussionNote)
  async removeNote(context: Context, input: ParsedOf<typeof deleteEpicDiscussionNote>) {
    await this.discussions.removeNote(
      await this.noteables.byId(context, input.epic_id),
      input.discussion_id,
      input.note_id,
    );
  }
}
