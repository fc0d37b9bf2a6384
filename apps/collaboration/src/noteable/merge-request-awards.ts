import {
  createMergeRequestAward,
  createMergeRequestNoteAward,
  deleteMergeRequestAward,
  deleteMergeRequestNoteAward,
  getMergeRequestAward,
  getMergeRequestNoteAward,
  listMergeRequestAwards,
  listMergeRequestNoteAwards,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions } from '../award/award-actions';
import type { InProject } from '../note/noteable';
import { AwardController } from './award-controller';
import { AwardableResolver } from './awardable-resolver';
import { MergeRequestNoteable } from './merge-request-noteable';

/** Awards on merge requests and on their notes. */
@Controller()
@HandlesEach({
  list: listMergeRequestAwards,
  get: getMergeRequestAward,
  create: createMergeRequestAward,
  remove: deleteMergeRequestAward,
  listOnNote: listMergeRequestNoteAwards,
  getOnNote: getMergeRequestNoteAward,
  createOnNote: createMergeRequestNoteAward,
  removeOnNote: deleteMergeRequestNoteAward,
})
export class MergeRequestAwards extends AwardController<InProject, { merge_request_iid: number }> {
  constructor(awards: AwardActions, targets: AwardableResolver, noteables: MergeRequestNoteable) {
    super(awards, targets, noteables);
  }
}
