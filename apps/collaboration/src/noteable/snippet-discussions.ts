import {
  createSnippetDiscussion,
  deleteSnippetDiscussionNote,
  getSnippetDiscussion,
  getSnippetDiscussionNote,
  listSnippetDiscussions,
  replyToSnippetDiscussion,
  updateSnippetDiscussionNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import type { InProject } from '../note/noteable';
import { DiscussionController } from './discussion-controller';
import { SnippetNoteable } from './snippet-noteable';

/** Discussions of snippets. */
@Controller()
@HandlesEach({
  list: listSnippetDiscussions,
  get: getSnippetDiscussion,
  create: createSnippetDiscussion,
  reply: replyToSnippetDiscussion,
  getNote: getSnippetDiscussionNote,
  updateNote: updateSnippetDiscussionNote,
  removeNote: deleteSnippetDiscussionNote,
})
export class SnippetDiscussions extends DiscussionController<InProject, { snippet_id: number }> {
  constructor(discussions: DiscussionActions, noteables: SnippetNoteable) {
    super(discussions, noteables);
  }
}
