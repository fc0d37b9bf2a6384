import { Injectable } from '@nestjs/common';
import type { LabelEventResource } from '../activity/label-event.schema';
import { LabelEventViews } from '../label-event/label-event-views';
import type { NoteableFinder } from '../note/noteable';

type Paging = Parameters<LabelEventViews['page']>[2];

interface OneEvent {
  resource_label_event_id: number;
}

/** What happened to the labels of one kind of record. */
@Injectable()
export class LabelEventController<Context, Named> {
  constructor(
    private readonly noteables: NoteableFinder<Context, Named>,
    private readonly events: LabelEventViews,
  ) {}

  async list(context: Context, input: Named & Paging) {
    const { subject } = await this.noteables.find(context, input);
    return this.events.page(subject.type as LabelEventResource, subject.id, input);
  }

  async get(context: Context, input: Named & OneEvent) {
    const { subject } = await this.noteables.find(context, input);
    return this.events.get(subject.type as LabelEventResource, subject.id, input.resource_label_event_id);
  }
}
