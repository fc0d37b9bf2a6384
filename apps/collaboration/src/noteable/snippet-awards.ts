import {
  createSnippetAward,
  createSnippetNoteAward,
  deleteSnippetAward,
  deleteSnippetNoteAward,
  getSnippetAward,
  getSnippetNoteAward,
  listSnippetAwards,
  listSnippetNoteAwards,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions } from '../award/award-actions';
import type { InProject } from '../note/noteable';
import { AwardController } from './award-controller';
import { AwardableResolver } from './awardable-resolver';
import { SnippetNoteable } from './snippet-noteable';

/** Awards on snippets and on their notes. */
@Controller()
@HandlesEach({
  list: listSnippetAwards,
  get: getSnippetAward,
  create: createSnippetAward,
  remove: deleteSnippetAward,
  listOnNote: listSnippetNoteAwards,
  getOnNote: getSnippetNoteAward,
  createOnNote: createSnippetNoteAward,
  removeOnNote: deleteSnippetNoteAward,
})
export class SnippetAwards extends AwardController<InProject, { snippet_id: number }> {
  constructor(awards: AwardActions, targets: AwardableResolver, noteables: SnippetNoteable) {
    super(awards, targets, noteables);
  }
}
