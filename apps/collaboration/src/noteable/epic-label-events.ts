import { type ContextOf, getEpicLabelEvent, listEpicLabelEvents, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Epics } from '../epic/epic.repository';
import { LabelEventViews } from '../label-event/label-event-views';

type Context = ContextOf<typeof listEpicLabelEvents>;

/** Label events of epics. */
@Controller()
export class EpicLabelEvents {
  constructor(
    private readonly epics: Epics,
    private readonly events: LabelEventViews,
  ) {}

  @Handles(listEpicLabelEvents)
  async list({ group, caller }: Context, input: ParsedOf<typeof listEpicLabelEvents>) {
    const { _id } = await this.epics.getById(group, input.epic_id, caller);
    return this.events.page('Epic', _id, input);
  }

  @Handles(getEpicLabelEvent)
  async get({ group, caller }: Context, input: ParsedOf<typeof getEpicLabelEvent>) {
    const { _id } = await this.epics.getById(group, input.epic_id, caller);
    return this.events.get('Epic', _id, input.resource_label_event_id);
  }
}
