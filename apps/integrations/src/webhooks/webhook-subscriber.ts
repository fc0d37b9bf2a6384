import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Subscriber } from '../events/occurrence';
import { type ParentKey, SubscriberCache } from '../events/subscriber-cache';
import { Subscribers } from '../events/subscribers';
import { Hooks } from '../hook/hook.repository';
import { hookDeliveries } from '../hook/hook-deliveries';

/** Hooks of a project and of the groups above receive occurrences whose switch is on. */
@Injectable()
export class WebhookSubscriber implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly hooks: Hooks,
    private readonly subscriberCache: SubscriberCache,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]> {
    const { web, switch: under } = occurrence;
    const parents = parentsOf(occurrence);
    if (!web || under === null || parents.length === 0) return [];
    const find = (asked: readonly ParentKey[]) => this.hooks.matching(asked, under);
    return hookDeliveries(
      await this.subscriberCache.findUnlessEmpty(parents, `hooks ${under}`, find, (hook) => hook),
      occurrence,
      web,
    );
  }
}

function parentsOf({ project, groupIds }: Occurrence): ParentKey[] {
  const groups = groupIds.map((parentId) => ({ kind: 'group' as const, parentId }));
  return project ? [{ kind: 'project', parentId: project.id }, ...groups] : groups;
}
