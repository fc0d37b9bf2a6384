import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Subscriber } from '../events/occurrence';
import { Subscribers } from '../events/subscribers';
import { type HookOwner, Hooks } from '../hook/hook.repository';
import { tellHooks } from '../hook/tell-hooks';

/** Hooks of a project, and of the groups above it, are told of what happens in it as their switches say. */
@Injectable()
export class TellWebhooks implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly hooks: Hooks,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]> {
    const { web, switch: under } = occurrence;
    const owners = ownersOf(occurrence);
    if (!web || under === null || owners.length === 0) return [];
    return tellHooks(await this.hooks.wanting(owners, under), occurrence, web);
  }
}

function ownersOf({ project, groupIds }: Occurrence): HookOwner[] {
  const groups = groupIds.map((parentId) => ({ kind: 'group' as const, parentId }));
  return project ? [{ kind: 'project', parentId: project.id }, ...groups] : groups;
}
