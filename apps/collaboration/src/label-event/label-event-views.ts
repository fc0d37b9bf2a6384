import { commonErrors, type LabelEvent, only, type Page } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { LabelEventDocument, LabelEventResource } from '../activity/label-event.schema';
import { Labels } from '../label/label.repository';
import { viewBasicLabel } from '../label/label.view';

/** Reads the label events of a record. Labels of projects and groups that the reader does not know cannot be on it. */
@Injectable()
export class LabelEventViews {
  constructor(
    @InjectModel('LabelEvent') private readonly events: Model<LabelEventDocument>,
    private readonly labels: Labels,
    private readonly users: UserDirectory,
  ) {}

  /** Oldest first, by time: ids ascend within one process only. */
  async page(
    resourceType: LabelEventResource,
    resourceId: number,
    input: { page: number; per_page: number },
  ): Promise<Page<LabelEvent>> {
    const page = await findPage(this.events, { resourceType, resourceId }, { createdAt: 1, _id: 1 }, input);
    return { ...page, items: await this.view(page.items) };
  }

  /** @throws common.not_found */
  async get(resourceType: LabelEventResource, resourceId: number, id: number): Promise<LabelEvent> {
    const event = await this.events.findOne({ _id: id, resourceType, resourceId }).lean<LabelEventDocument>();
    if (!event) throw commonErrors.notFound();
    return only(await this.view([event]));
  }

  private async view(events: LabelEventDocument[]): Promise<LabelEvent[]> {
    const [labels, users] = await Promise.all([
      this.labels.findByIds(events.map(({ labelId }) => labelId)),
      this.users.summaries(events.map(({ userId }) => userId)),
    ]);
    return events.map((event) => {
      const label = labels.get(event.labelId);
      return {
        id: event._id,
        user: users.get(event.userId) ?? null,
        created_at: event.createdAt.toISOString(),
        resource_type: event.resourceType,
        resource_id: event.resourceId,
        label: label ? viewBasicLabel(label) : null,
        action: event.action,
      };
    });
  }
}
