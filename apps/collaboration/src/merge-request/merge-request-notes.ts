import {
  type ContextOf,
  createMergeRequestNote,
  deleteMergeRequestNote,
  getMergeRequestLabelEvent,
  getMergeRequestNote,
  listMergeRequestLabelEvents,
  listMergeRequestNotes,
  type ParsedOf,
  updateMergeRequestNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LabelEventViews } from '../label-event/label-event-views';
import { NoteActions } from '../note/note-actions';
import { MergeRequests } from './merge-request.repository';
import { MergeRequestNoteable } from './merge-request-noteable';

/** Notes of merge requests, and the label events that stand beside them. */
@Controller()
export class MergeRequestNotes {
  constructor(
    private readonly notes: NoteActions,
    private readonly noteables: MergeRequestNoteable,
    private readonly mergeRequests: MergeRequests,
    private readonly events: LabelEventViews,
  ) {}

  @Handles(listMergeRequestNotes)
  async list(context: ContextOf<typeof listMergeRequestNotes>, input: ParsedOf<typeof listMergeRequestNotes>) {
    return this.notes.list(await this.noteables.find(context, input.merge_request_iid), input);
  }

  @Handles(getMergeRequestNote)
  async get(context: ContextOf<typeof getMergeRequestNote>, input: ParsedOf<typeof getMergeRequestNote>) {
    return this.notes.get(await this.noteables.find(context, input.merge_request_iid), input.note_id);
  }

  @Handles(createMergeRequestNote)
  async create(context: ContextOf<typeof createMergeRequestNote>, input: ParsedOf<typeof createMergeRequestNote>) {
    return this.notes.create(await this.noteables.find(context, input.merge_request_iid), input);
  }

  @Handles(updateMergeRequestNote)
  async update(context: ContextOf<typeof updateMergeRequestNote>, input: ParsedOf<typeof updateMergeRequestNote>) {
    return this.notes.update(await this.noteables.find(context, input.merge_request_iid), input.note_id, input);
  }

  @Handles(deleteMergeRequestNote)
  async remove(context: ContextOf<typeof deleteMergeRequestNote>, input: ParsedOf<typeof deleteMergeRequestNote>) {
    await this.notes.remove(await this.noteables.find(context, input.merge_request_iid), input.note_id);
  }

  @Handles(listMergeRequestLabelEvents)
  async labelEvents(
    { project }: ContextOf<typeof listMergeRequestLabelEvents>,
    input: ParsedOf<typeof listMergeRequestLabelEvents>,
  ) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    return this.events.page('MergeRequest', _id, input);
  }

  @Handles(getMergeRequestLabelEvent)
  async labelEvent(
    { project }: ContextOf<typeof getMergeRequestLabelEvent>,
    input: ParsedOf<typeof getMergeRequestLabelEvent>,
  ) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    return this.events.get('MergeRequest', _id, input.resource_label_event_id);
  }
}
