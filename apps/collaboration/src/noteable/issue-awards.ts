import {
  createIssueAward,
  createIssueNoteAward,
  deleteIssueAward,
  deleteIssueNoteAward,
  getIssueAward,
  getIssueNoteAward,
  listIssueAwards,
  listIssueNoteAwards,
} from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { AwardActions } from '../award/award-actions';
import type { InProject } from '../note/noteable';
import { AwardController } from './award-controller';
import { AwardableResolver } from './awardable-resolver';
import { IssueNoteable } from './issue-noteable';

/** Awards on issues and on their notes. */
@Controller()
@HandlesEach({
  list: listIssueAwards,
  get: getIssueAward,
  create: createIssueAward,
  remove: deleteIssueAward,
  listOnNote: listIssueNoteAwards,
  getOnNote: getIssueNoteAward,
  createOnNote: createIssueNoteAward,
  removeOnNote: deleteIssueNoteAward,
})
export class IssueAwards extends AwardController<InProject, { issue_iid: number }> {
  constructor(awards: AwardActions, targets: AwardableResolver, noteables: IssueNoteable) {
    super(awards, targets, noteables);
  }
}
