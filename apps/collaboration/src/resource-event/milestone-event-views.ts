import type { MilestoneEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MilestoneEventDocument } from '../activity/resource-event.schema';
import { MilestoneViews } from '../milestone/milestone-views';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

/** Milestone events. As with labels, a reader of the record may see them. */
@Injectable()
export class MilestoneEventViews extends ResourceEventViews<'milestone', MilestoneEvent> {
  readonly kind = 'milestone';

  constructor(
    @InjectModel('MilestoneEvent') events: Model<MilestoneEventDocument>,
    users: UserDirectory,
    private readonly milestones: MilestoneViews,
  ) {
    super(events, users);
  }

  protected async view(events: MilestoneEventDocument[]): Promise<MilestoneEvent[]> {
    const [milestones, users] = await Promise.all([
      this.milestones.byId(events.map(({ milestoneId }) => milestoneId)),
      this.summariesFor(events),
    ]);
    return events.map((event) => ({
      ...viewResourceEvent(event, users),
      milestone: milestones.get(event.milestoneId) ?? null,
      action: event.action,
    }));
  }
}
