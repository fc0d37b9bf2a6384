import {
  type ContextOf,
  createIssueDiscussion,
  deleteIssueDiscussionNote,
  getIssueDiscussion,
  getIssueDiscussionNote,
  listIssueDiscussions,
  type ParsedOf,
  replyToIssueDiscussion,
  updateIssueDiscussionNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import { IssueNoteable } from './issue-noteable';

type Context = ContextOf<typeof listIssueDiscussions>;

/** Discussions of issues. */
@Controller()
export class IssueDiscussions {
  constructor(
    private readonly discussions: DiscussionActions,
    private readonly noteables: IssueNoteable,
  ) {}

  @Handles(listIssueDiscussions)
  async list(context: Context, input: ParsedOf<typeof listIssueDiscussions>) {
    return this.discussions.list(await this.noteables.find(context, input.issue_iid), input);
  }

  @Handles(getIssueDiscussion)
  async get(context: Context, input: ParsedOf<typeof getIssueDiscussion>) {
    return this.discussions.get(await this.noteables.find(context, input.issue_iid), input.discussion_id);
  }

  @Handles(createIssueDiscussion)
  async create(context: Context, input: ParsedOf<typeof createIssueDiscussion>) {
    return this.discussions.create(await this.noteables.find(context, input.issue_iid), input);
  }

  @Handles(replyToIssueDiscussion)
  async reply(context: Context, input: ParsedOf<typeof replyToIssueDiscussion>) {
    return this.discussions.reply(await this.noteables.find(context, input.issue_iid), input.discussion_id, input);
  }

  @Handles(getIssueDiscussionNote)
  async getNote(context: Context, input: ParsedOf<typeof getIssueDiscussionNote>) {
    return this.discussions.getNote(
      await this.noteables.find(context, input.issue_iid),
      input.discussion_id,
      input.note_id,
    );
  }

  @Handles(updateIssueDiscussionNote)
  async updateNote(context: Context, input: ParsedOf<typeof updateIssueDiscussionNote>) {
    const noteable = await this.noteables.find(context, input.issue_iid);
    return this.discussions.updateNote(noteable, input.discussion_id, input.note_id, input);
  }

  @Handles(deleteIssueDiscussionNote)
  async removeNote(context: Context, input: ParsedOf<typeof deleteIssueDiscussionNote>) {
    await this.discussions.removeNote(
      await this.noteables.find(context, input.issue_iid),
      input.discussion_id,
      input.note_id,
    );
  }
}
