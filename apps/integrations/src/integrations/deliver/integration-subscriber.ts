import type { ProjectRef } from '@moothall/contracts';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../../delivery/delivery.repository';
import { Facts } from '../../events/facts';
import type { Occurrence, Subscriber } from '../../events/occurrence';
import { SubscriberCache } from '../../events/subscriber-cache';
import { Subscribers } from '../../events/subscribers';
import { queueOf } from '../integration.schema';
import { type OpenedIntegration, OpenedIntegrations } from '../opened-integrations';
import { keyOf } from '../payload/delivery-part';
import { asksForProtection, isWanted } from '../payload/is-wanted';
import { branchOf, type Payload } from '../payload/payload';
import { isSubscribed } from './is-subscribed';
import { partsFor } from './parts';

/** Creates the deliveries of the integrations of a project. */
@Injectable()
export class IntegrationSubscriber implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly integrations: OpenedIntegrations,
    private readonly facts: Facts,
    private readonly subscriberCache: SubscriberCache,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor({ id, switch: under, project, web }: Occurrence): Promise<NewDelivery[]> {
    if (!project || !web || under === null) return [];
    const active = await this.activeIn(project);
    const subscribed = active.filter((one) => isSubscribed(one, under));
    if (subscribed.length === 0) return [];
    const payload = (await web()) as unknown as Payload;
    const isProtected = await this.isProtected(project, payload, subscribed);
    const wanting = subscribed.filter(({ kind, settings }) =>
      isWanted(payload, settings, isProtected, 'notify_only_broken_pipelines' in kind.fields),
    );
    const tracker = this.integrations.trackerAmong(active, project);
    const pusher = wanting.some(({ settings }) => settings.add_pusher) ? await this.emailOf(payload) : '';
    const text = JSON.stringify(payload);
    return wanting.flatMap((one) =>
      partsFor(one, payload, tracker, pusher).map((part) => ({
        line: queueOf(one.document._id),
        key: keyOf(id, part),
        trigger: under.replace('_events', '_hooks'),
        payload: text,
      })),
    );
  }

  private activeIn({ id }: ProjectRef): Promise<OpenedIntegration[]> {
    const place = { kind: 'project', parentId: id } as const;
    const find = () => this.integrations.active(id);
    return this.subscriberCache.findUnlessEmpty([place], 'integrations', find, () => place);
  }

  private async isProtected(project: ProjectRef, payload: Payload, subscribed: OpenedIntegration[]): Promise<boolean> {
    const branch = branchOf(payload);
    if (branch === undefined || !subscribed.some(({ settings }) => asksForProtection(settings))) return false;
    // If it is not known, deliver.
    return (await this.facts.isProtected(project, branch)) ?? true;
  }

  /** Payloads contain public email addresses only. */
  private async emailOf(payload: Payload): Promise<string> {
    const id = 'user' in payload ? payload.user?.id : undefined;
    return (await this.facts.user(id ?? null))?.email ?? '';
  }
}
