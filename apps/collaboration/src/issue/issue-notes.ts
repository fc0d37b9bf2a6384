import { createIssueNote, deleteIssueNote, getIssueNote, listIssueNotes, updateIssueNote } from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import { NoteController } from '../note/note-controller';
import type { InProject } from '../noteable/noteable';
import { IssueNoteable } from './issue-noteable';

/** Notes of issues. */
@Controller()
@HandlesEach({
  list: listIssueNotes,
  get: getIssueNote,
  create: createIssueNote,
  update: updateIssueNote,
  remove: deleteIssueNote,
})
export class IssueNotes extends NoteController<InProject, { issue_iid: number }> {
  constructor(notes: NoteActions, noteables: IssueNoteable) {
    super(notes, noteables);
  }
}
