import {
  type ContextOf,
  createIssueNote,
  deleteIssueNote,
  getIssueNote,
  listIssueNotes,
  type ParsedOf,
  updateIssueNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { NoteActions } from '../note/note-actions';
import { IssueNoteable } from './issue-noteable';

/** Notes of issues. */
@Controller()
export class IssueNotes {
  constructor(
    private readonly notes: NoteActions,
    private readonly noteables: IssueNoteable,
  ) {}

  @Handles(listIssueNotes)
  async list(context: ContextOf<typeof listIssueNotes>, input: ParsedOf<typeof listIssueNotes>) {
    return this.notes.list(await this.noteables.find(context, input.issue_iid), input);
  }

  @Handles(getIssueNote)
  async get(context: ContextOf<typeof getIssueNote>, input: ParsedOf<typeof getIssueNote>) {
    return this.notes.get(await this.noteables.find(context, input.issue_iid), input.note_id);
  }

  @Handles(createIssueNote)
  async create(context: ContextOf<typeof createIssueNote>, input: ParsedOf<typeof createIssueNote>) {
    return this.notes.create(await this.noteables.find(context, input.issue_iid), input);
  }

  @Handles(updateIssueNote)
  async update(context: ContextOf<typeof updateIssueNote>, input: ParsedOf<typeof updateIssueNote>) {
    return this.notes.update(await this.noteables.find(context, input.issue_iid), input.note_id, input);
  }

  @Handles(deleteIssueNote)
  async remove(context: ContextOf<typeof deleteIssueNote>, input: ParsedOf<typeof deleteIssueNote>) {
    await this.notes.remove(await this.noteables.find(context, input.issue_iid), input.note_id);
  }
}
