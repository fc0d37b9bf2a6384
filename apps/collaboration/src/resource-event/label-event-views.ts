import type { LabelEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LabelEventDocument } from '../activity/resource-event.schema';
import { Labels } from '../label/label.repository';
import { viewBasicLabel } from '../label/label.view';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

/** Label events. Labels of projects and groups that the reader does not know cannot be on the record. */
@Injectable()
export class LabelEventViews extends ResourceEventViews<'label', LabelEvent> {
  readonly kind = 'label';

  constructor(
    @InjectModel('LabelEvent') events: Model<LabelEventDocument>,
    users: UserDirectory,
    private readonly labels: Labels,
  ) {
    super(events, users);
  }

  protected async view(events: LabelEventDocument[]): Promise<LabelEvent[]> {
    const [labels, users] = await Promise.all([
      this.labels.findByIds(events.map(({ labelId }) => labelId)),
      this.summariesFor(events),
    ]);
    return events.map((event) => {
      const label = labels.get(event.labelId);
      return {
        ...viewResourceEvent(event, users),
        label: label ? viewBasicLabel(label) : null,
        action: event.action,
      };
    });
  }
}
