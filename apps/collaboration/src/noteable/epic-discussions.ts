import {
  createEpicDiscussion,
  deleteEpicDiscussionNote,
  getEpicDiscussion,
  getEpicDiscussionNote,
  listEpicDiscussions,
  replyToEpicDiscussion,
  updateEpicDiscussionNote,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { DiscussionActions } from '../discussion/discussion-actions';
import type { InGroup } from '../note/noteable';
import { DiscussionController } from './discussion-controller';
import { EpicNoteable } from './epic-noteable';

/** Discussions of epics. */
@Controller()
@HandlesEach({
  list: listEpicDiscussions,
  get: getEpicDiscussion,
  create: createEpicDiscussion,
  reply: replyToEpicDiscussion,
  getNote: getEpicDiscussionNote,
  updateNote: updateEpicDiscussionNote,
  removeNote: deleteEpicDiscussionNote,
})
export class EpicDiscussions extends DiscussionController<InGroup, { epic_id: number }> {
  constructor(discussions: DiscussionActions, noteables: EpicNoteable) {
    super(discussions, noteables);
  }
}
