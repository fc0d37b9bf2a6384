import {
  createEpicAward,
  createEpicNoteAward,
  deleteEpicAward,
  deleteEpicNoteAward,
  getEpicAward,
  getEpicNoteAward,
  listEpicAwards,
  listEpicNoteAwards,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions } from '../award/award-actions';
import type { InGroup } from '../note/noteable';
import { AwardController } from './award-controller';
import { AwardableResolver } from './awardable-resolver';
import { EpicNoteable } from './epic-noteable';

/** Awards on epics and on their notes. */
@Controller()
@HandlesEach({
  list: listEpicAwards,
  get: getEpicAward,
  create: createEpicAward,
  remove: deleteEpicAward,
  listOnNote: listEpicNoteAwards,
  getOnNote: getEpicNoteAward,
  createOnNote: createEpicNoteAward,
  removeOnNote: deleteEpicNoteAward,
})
export class EpicAwards extends AwardController<InGroup, { epic_iid: number }> {
  constructor(awards: AwardActions, targets: AwardableResolver, noteables: EpicNoteable) {
    super(awards, targets, noteables);
  }
}
