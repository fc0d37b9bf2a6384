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
import { Handles, HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import type { InProject } from '../note/noteable';
import { DiscussionController } from './discussion-controller';
import { MergeRequestNoteable } from './merge-request-noteable';

/** Discussions of merge requests, which have a place in the changes and are resolved. */
@Controller()
@HandlesEach({
  list: listMergeRequestDiscussions,
  get: getMergeRequestDiscussion,
  create: createMergeRequestDiscussion,
  reply: replyToMergeRequestDiscussion,
  getNote: getMergeRequestDiscussionNote,
  updateNote: updateMergeRequestDiscussionNote,
  removeNote: deleteMergeRequestDiscussionNote,
})
export class MergeRequestDiscussions extends DiscussionController<InProject, { merge_request_iid: number }> {
  constructor(discussions: DiscussionActions, noteables: MergeRequestNoteable) {
    super(discussions, noteables);
  }

  override async create(context: InProject, input: ParsedOf<typeof createMergeRequestDiscussion>) {
    return this.discussions.create(await this.noteables.find(context, input), input, input.position);
  }

  @Handles(resolveMergeRequestDiscussion)
  async resolve(
    context: ContextOf<typeof resolveMergeRequestDiscussion>,
    input: ParsedOf<typeof resolveMergeRequestDiscussion>,
  ) {
    const noteable = await this.noteables.find(context, input);
    return this.discussions.resolve(noteable, input.discussion_id, input.resolved);
  }
}
