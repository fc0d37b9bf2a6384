import { type ContextOf, getIssueLabelEvent, listIssueLabelEvents, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Issues } from '../issue/issue.repository';
import { LabelEventViews } from '../label-event/label-event-views';

/** Label events of issues. */
@Controller()
export class IssueLabelEvents {
  constructor(
    private readonly issues: Issues,
    private readonly events: LabelEventViews,
  ) {}

  @Handles(listIssueLabelEvents)
  async list(
    { project, caller }: ContextOf<typeof listIssueLabelEvents>,
    input: ParsedOf<typeof listIssueLabelEvents>,
  ) {
    const issue = await this.issues.get(project, input.issue_iid, caller);
    return this.events.page('Issue', issue._id, input);
  }

  @Handles(getIssueLabelEvent)
  async get({ project, caller }: ContextOf<typeof getIssueLabelEvent>, input: ParsedOf<typeof getIssueLabelEvent>) {
    const issue = await this.issues.get(project, input.issue_iid, caller);
    return this.events.get('Issue', issue._id, input.resource_label_event_id);
  }
}
