import { commonErrors, only, type Page, type UserSummary } from '@moothall/contracts';
import { findPage } from '@moothall/database';
import type { UserDirectory } from '@moothall/users';
import type { Model } from 'mongoose';
import type { EventfulResource, ResourceEventDocument, ResourceEvents } from '../activity/resource-event.schema';

/** Reads the resource events of one field of a record. */
export abstract class ResourceEventViews<K extends keyof ResourceEvents, View> {
  abstract readonly kind: K;

  constructor(
    private readonly events: Model<ResourceEvents[K]>,
    protected readonly users: UserDirectory,
  ) {}

  /** Oldest first, by time: ids are ascending within one process only. */
  async page(
    resourceType: EventfulResource,
    resourceId: number,
    input: { page: number; per_page: number },
  ): Promise<Page<View>> {
    const page = await findPage(this.events, { resourceType, resourceId }, { createdAt: 1, _id: 1 }, input);
    return { ...page, items: await this.view(page.items) };
  }

  /** @throws common.not_found */
  async get(resourceType: EventfulResource, resourceId: number, id: number): Promise<View> {
    const event = await this.events.findOne({ _id: id, resourceType, resourceId }).lean<ResourceEvents[K]>();
    if (!event) throw commonErrors.notFound();
    return only(await this.view([event]));
  }

  protected abstract view(events: ResourceEvents[K][]): Promise<View[]>;

  protected summariesFor(events: ResourceEventDocument[]): Promise<Map<number, UserSummary>> {
    return this.users.summaries(events.map(({ userId }) => userId));
  }
}

/** Fields that most kinds of events share. */
export const viewResourceEvent = (event: ResourceEventDocument, users: Map<number, UserSummary>) => ({
  id: event._id,
  user: users.get(event.userId) ?? null,
  created_at: event.createdAt.toISOString(),
  resource_type: event.resourceType,
  resource_id: event.resourceId,
});
