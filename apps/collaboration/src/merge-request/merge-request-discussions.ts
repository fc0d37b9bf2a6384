import {
  type ContextOf,
  createMergeRequestDiscussion,
  deleteMergeRequestDiscussionNote,
  getMergeRequestDiscussion,
  getMergeRequestDiscussionNote,
  listMergeRequestDiscussions,
  type ParsedOf,
  replyToMergeRequestDiscussion,
  resolveMergeRequestDiscussion,
  updateMergeRequestDiscussionNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import { MergeRequestNoteable } from './merge-request-noteable';

type Context = ContextOf<typeof listMergeRequestDiscussions>;

/** Discussions of merge requests, which are resolved. */
@Controller()
export class MergeRequestDiscussions {
  constructor(
    private readonly discussions: DiscussionActions,
    private readonly noteables: MergeRequestNoteable,
  ) {}

  @Handles(listMergeRequestDiscussions)
  async list(context: Context, input: ParsedOf<typeof listMergeRequestDiscussions>) {
    return this.discussions.list(await this.noteables.find(context, input.merge_request_iid), input);
  }

  @Handles(getMergeRequestDiscussion)
  async get(context: Context, input: ParsedOf<typeof getMergeRequestDiscussion>) {
    return this.discussions.get(await this.noteables.find(context, input.merge_request_iid), input.discussion_id);
  }

  @Handles(createMergeRequestDiscussion)
  async create(context: Context, input: ParsedOf<typeof createMergeRequestDiscussion>) {
    return this.discussions.create(await this.noteables.find(context, input.merge_request_iid), input, input.position);
  }

  @Handles(replyToMergeRequestDiscussion)
  async reply(context: Context, input: ParsedOf<typeof replyToMergeRequestDiscussion>) {
    return this.discussions.reply(
      await this.noteables.find(context, input.merge_request_iid),
      input.discussion_id,
      input,
    );
  }

  @Handles(getMergeRequestDiscussionNote)
  async getNote(context: Context, input: ParsedOf<typeof getMergeRequestDiscussionNote>) {
    return this.discussions.getNote(
      await this.noteables.find(context, input.merge_request_iid),
      input.discussion_id,
      input.note_id,
    );
  }

  @Handles(updateMergeRequestDiscussionNote)
  async updateNote(context: Context, input: ParsedOf<typeof updateMergeRequestDiscussionNote>) {
    const noteable = await this.noteables.find(context, input.merge_request_iid);
    return this.discussions.updateNote(noteable, input.discussion_id, input.note_id, input);
  }

  @Handles(deleteMergeRequestDiscussionNote)
  async removeNote(context: Context, input: ParsedOf<typeof deleteMergeRequestDiscussionNote>) {
    await this.discussions.removeNote(
      await this.noteables.find(context, input.merge_request_iid),
      input.discussion_id,
      input.note_id,
    );
  }

  @Handles(resolveMergeRequestDiscussion)
  async resolve(context: Context, input: ParsedOf<typeof resolveMergeRequestDiscussion>) {
    return this.discussions.resolve(
      await this.noteables.find(context, input.merge_request_iid),
      input.discussion_id,
      input.resolved,
    );
  }
}
