import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Subscriber } from '../events/occurrence';
import { type ParentKey, SubscriberCache } from '../events/subscriber-cache';
import { Subscribers } from '../events/subscribers';
import { Hooks } from '../hook/hook.repository';
import { hookDeliveries } from '../hook/hook-deliveries';
import { ofInstance } from './of-instance';

/** System hooks receive occurrences without a switch, and those whose switch is on. */
@Injectable()
export class SystemHookSubscriber implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly hooks: Hooks,
    private readonly subscriberCache: SubscriberCache,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]> {
    const { system, switch: under } = occurrence;
    if (!system) return [];
    const find = (asked: readonly ParentKey[]) => this.hooks.matching(asked, under);
    const wanting = await this.subscriberCache.findUnlessEmpty([ofInstance], `hooks ${under}`, find, (hook) => hook);
    return hookDeliveries(wanting, occurrence, system);
  }
}
