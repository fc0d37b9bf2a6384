import { Injectable } from '@nestjs/common';
import type { EventfulResource, ResourceEvents } from '../activity/resource-event.schema';
import type { NoteableFinder } from '../note/noteable';
import type { ResourceEventViews } from '../resource-event/resource-event-views';

type Paging = Parameters<ResourceEventViews<'label', unknown>['page']>[2];

type OneEvent<K extends string> = Record<`resource_${K}_event_id`, number>;

/** Resource events of one field of one kind of record. */
@Injectable()
export class ResourceEventController<Context, Named, K extends keyof ResourceEvents, View> {
  constructor(
    private readonly noteables: NoteableFinder<Context, Named>,
    private readonly events: ResourceEventViews<K, View>,
  ) {}

  async list(context: Context, input: Named & Paging) {
    const { subject } = await this.noteables.find(context, input);
    return this.events.page(subject.type as EventfulResource, subject.id, input);
  }

  async get(context: Context, input: Named & OneEvent<K>) {
    const { subject } = await this.noteables.find(context, input);
    const id = input[`resource_${this.events.kind}_event_id`];
    return this.events.get(subject.type as EventfulResource, subject.id, id);
  }
}
