import type { WeightEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { WeightEventDocument } from '../activity/resource-event.schema';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

/** Weight events; only issues have them, so they store the issue id alone. */
@Injectable()
export class WeightEventViews extends ResourceEventViews<'weight', WeightEvent> {
  readonly kind = 'weight';

  constructor(@InjectModel('WeightEvent') events: Model<WeightEventDocument>, users: UserDirectory) {
    super(events, users);
  }

  protected async view(events: WeightEventDocument[]): Promise<WeightEvent[]> {
    const users = await this.summariesFor(events);
    return events.map((event) => {
      const { id, user, created_at, resource_id } = viewResourceEvent(event, users);
      return { id, user, created_at, issue_id: resource_id, weight: event.weight };
    });
  }
}
