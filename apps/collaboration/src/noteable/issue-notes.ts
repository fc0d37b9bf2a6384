import { createIssueNote, deleteIssueNote, getIssueNote, listIssueNotes, updateIssueNote } from '@moothall/contracts';
import { HandlesEach } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import type { InProject } from '../note/noteable';
import { IssueNoteable } from './issue-noteable';
import { NoteController } from './note-controller';

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
