import type { IterationEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { IterationEventDocument } from '../activity/resource-event.schema';
import { Iterations } from '../iteration/iteration.repository';
import { IterationViews } from '../iteration/iteration-views';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

/** Iteration events; issues alone have them. As with milestones, a reader of the record may see them. */
@Injectable()
export class IterationEventViews extends ResourceEventViews<'iteration', IterationEvent> {
  readonly kind = 'iteration';

  constructor(
    @InjectModel('IterationEvent') events: Model<IterationEventDocument>,
    users: UserDirectory,
    private readonly iterations: Iterations,
    private readonly iterationViews: IterationViews,
  ) {
    super(events, users);
  }

  protected async view(events: IterationEventDocument[]): Promise<IterationEvent[]> {
    const [iterations, users] = await Promise.all([
      this.iterations.findByIds(events.map(({ iterationId }) => iterationId)),
      this.summariesFor(events),
    ]);
    const views = new Map((await this.iterationViews.view(iterations)).map((iteration) => [iteration.id, iteration]));
    return events.map((event) => ({
      ...viewResourceEvent(event, users),
      iteration: views.get(event.iterationId) ?? null,
      action: event.action,
    }));
  }
}
