import type { MilestoneEvent } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { MilestoneEventDocument } from '../activity/resource-event.schema';
import { Milestones } from '../milestone/milestone.repository';
import { MilestoneViews } from '../milestone/milestone-views';
import { ResourceEventViews, viewResourceEvent } from './resource-event-views';

/** Milestone events. As with labels, a reader of the record may see them. */
@Injectable()
export class MilestoneEventViews extends ResourceEventViews<'milestone', MilestoneEvent> {
  readonly kind = 'milestone';

  constructor(
    @InjectModel('MilestoneEvent') events: Model<MilestoneEventDocument>,
    users: UserDirectory,
    private readonly milestones: Milestones,
    private readonly milestoneViews: MilestoneViews,
  ) {
    super(events, users);
  }

  protected async view(events: MilestoneEventDocument[]): Promise<MilestoneEvent[]> {
    const [milestones, users] = await Promise.all([
      this.milestones.findByIds(events.map(({ milestoneId }) => milestoneId)),
      this.summariesFor(events),
    ]);
    const views = new Map((await this.milestoneViews.view(milestones)).map((milestone) => [milestone.id, milestone]));
    return events.map((event) => ({
      ...viewResourceEvent(event, users),
      milestone: views.get(event.milestoneId) ?? null,
      action: event.action,
    }));
  }
}
