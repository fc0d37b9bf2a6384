import {
  createIssueDiscussion,
  deleteIssueDiscussionNote,
  getIssueDiscussion,
  getIssueDiscussionNote,
  listIssueDiscussions,
  replyToIssueDiscussion,
  updateIssueDiscussionNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import type { InProject } from '../note/noteable';
import { DiscussionController } from './discussion-controller';
import { IssueNoteable } from './issue-noteable';

/** Discussions of issues. */
@Controller()
@HandlesEach({
  list: listIssueDiscussions,
  get: getIssueDiscussion,
  create: createIssueDiscussion,
  reply: replyToIssueDiscussion,
  getNote: getIssueDiscussionNote,
  updateNote: updateIssueDiscussionNote,
  removeNote: deleteIssueDiscussionNote,
})
export class IssueDiscussions extends DiscussionController<InProject, { issue_iid: number }> {
  constructor(discussions: DiscussionActions, noteables: IssueNoteable) {
    super(discussions, noteables);
  }
}
