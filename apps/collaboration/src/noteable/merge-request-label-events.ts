import {
  type ContextOf,
  getMergeRequestLabelEvent,
  listMergeRequestLabelEvents,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { LabelEventViews } from '../label-event/label-event-views';
import { MergeRequests } from '../merge-request/record/merge-request.repository';

type Context = ContextOf<typeof listMergeRequestLabelEvents>;

/** Label events of merge requests. */
@Controller()
export class MergeRequestLabelEvents {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly events: LabelEventViews,
  ) {}

  @Handles(listMergeRequestLabelEvents)
  async list({ project }: Context, input: ParsedOf<typeof listMergeRequestLabelEvents>) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    return this.events.page('MergeRequest', _id, input);
  }

  @Handles(getMergeRequestLabelEvent)
  async get({ project }: Context, input: ParsedOf<typeof getMergeRequestLabelEvent>) {
    const { _id } = await this.mergeRequests.get(project, input.merge_request_iid);
    return this.events.get('MergeRequest', _id, input.resource_label_event_id);
  }
}
