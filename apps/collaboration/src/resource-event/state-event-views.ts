import type { StateEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { StateEventDocument } from '../activity/resource-event.schema';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

@Injectable()
export class StateEventViews extends ResourceEventViews<'state', StateEvent> {
  readonly kind = 'state';

  constructor(@InjectModel('StateEvent') events: Model<StateEventDocument>, users: UserDirectory) {
    super(events, users);
  }

  protected async view(events: StateEventDocument[]): Promise<StateEvent[]> {
    const users = await this.summariesFor(events);
    return events.map((event) => ({ ...viewResourceEvent(event, users), state: event.state }));
  }
}
