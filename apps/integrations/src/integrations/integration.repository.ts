import { subscriberChanged } from '@moothall/contracts';
import { Counters, changeDocument, isDuplicateKey, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { SubscriberCache } from '../events/subscriber-cache';
import type { IntegrationDocument } from './integration.schema';

/** Queries on integrations. */
@Injectable()
export class IntegrationRepository {
  constructor(
    @InjectModel('Integration') private readonly integrations: Model<IntegrationDocument>,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
    private readonly subscriberCache: SubscriberCache,
  ) {}

  find(projectId: number, slug: string): Promise<IntegrationDocument | null> {
    return this.integrations.findOne({ projectId, slug }).lean<IntegrationDocument>();
  }

  findById(id: number): Promise<IntegrationDocument | null> {
    return this.integrations.findById(id).lean<IntegrationDocument>();
  }

  /** Active integrations, by slug. */
  active(projectId: number): Promise<IntegrationDocument[]> {
    return this.integrations.find({ projectId, isActive: true }).sort({ slug: 1 }).lean<IntegrationDocument[]>();
  }

  /** @param updateOf computes the update from the current settings */
  async change(
    projectId: number,
    slug: string,
    updateOf: (current: IntegrationDocument) => UpdateQuery<IntegrationDocument>,
  ): Promise<IntegrationDocument> {
    const write = (unchanged: QueryFilter<IntegrationDocument>, update: UpdateQuery<IntegrationDocument>) => {
      const event = newEvent(subscriberChanged, { kind: 'project', parent_id: projectId });
      return this.outbox.update(this.integrations, unchanged, update, event);
    };
    for (;;) {
      const changed = await changeDocument(this.integrations, { projectId, slug }, ['settings'], updateOf, write);
      if (changed) {
        await this.subscriberCache.invalidate({ kind: 'project', parentId: projectId });
        return changed;
      }
      await this.begin(projectId, slug);
    }
  }

  /** It is inactive until it has settings. */
  private async begin(projectId: number, slug: string): Promise<void> {
    const now = new Date();
    const begun = { projectId, slug, isActive: false, settings: {}, sealed: {}, switches: {} };
    try {
      await this.integrations.create({
        ...begun,
        _id: await this.counters.next('integrations'),
        createdAt: now,
        updatedAt: now,
      });
    } catch (error) {
      // A concurrent request inserted it.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async remove(projectId: number, slug: string): Promise<void> {
    await this.integrations.deleteOne({ projectId, slug });
  }

  all(projectId: number): Promise<IntegrationDocument[]> {
    return this.integrations.find({ projectId }).lean<IntegrationDocument[]>();
  }
}
