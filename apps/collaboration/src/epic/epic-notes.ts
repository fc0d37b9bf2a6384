import {
  type ContextOf,
  createEpicNote,
  deleteEpicNote,
  getEpicLabelEvent,
  getEpicNote,
  listEpicLabelEvents,
  listEpicNotes,
  type ParsedOf,
  updateEpicNote,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LabelEventViews } from '../label-event/label-event-views';
import { NoteActions } from '../note/note-actions';
import { Epics } from './epic.repository';
import { EpicNoteable } from './epic-noteable';

type Context = ContextOf<typeof listEpicNotes>;

/** Notes and label events of epics. */
@Controller()
export class EpicNotes {
  constructor(
    private readonly notes: NoteActions,
    private readonly noteables: EpicNoteable,
    private readonly epics: Epics,
    private readonly labelEvents: LabelEventViews,
  ) {}

  @Handles(listEpicNotes)
  async list(context: Context, input: ParsedOf<typeof listEpicNotes>) {
    return this.notes.list(await this.noteables.byId(context, input.epic_id), input);
  }

  /** With the fields of specification 2.4 beside its own. */
  @Handles(getEpicNote)
  async get(context: Context, input: ParsedOf<typeof getEpicNote>) {
    const noteable = await this.noteables.byId(context, input.epic_id);
    const note = await this.notes.get(noteable, input.note_id);
    return { ...note, title: noteable.document.title, file_name: null, expires_at: null };
  }

  @Handles(createEpicNote)
  async create(context: Context, input: ParsedOf<typeof createEpicNote>) {
    return this.notes.create(await this.noteables.byId(context, input.epic_id), input);
  }

  @Handles(updateEpicNote)
  async update(context: Context, input: ParsedOf<typeof updateEpicNote>) {
    return this.notes.update(await this.noteables.byId(context, input.epic_id), input.note_id, input);
  }

  @Handles(deleteEpicNote)
  async remove(context: Context, input: ParsedOf<typeof deleteEpicNote>) {
    await this.notes.remove(await this.noteables.byId(context, input.epic_id), input.note_id);
  }

  @Handles(listEpicLabelEvents)
  async listLabelEvents({ group, caller }: Context, input: ParsedOf<typeof listEpicLabelEvents>) {
    const epic = await this.epics.getById(group, input.epic_id, caller);
    return this.labelEvents.page('Epic', epic._id, input);
  }

  @Handles(getEpicLabelEvent)
  async getLabelEvent({ group, caller }: Context, input: ParsedOf<typeof getEpicLabelEvent>) {
    const epic = await this.epics.getById(group, input.epic_id, caller);
    return this.labelEvents.get('Epic', epic._id, input.resource_label_event_id);
  }
}
