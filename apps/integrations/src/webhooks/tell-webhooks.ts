import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { NewDelivery } from '../delivery/delivery.repository';
import type { Occurrence, Subscriber } from '../events/occurrence';
import { type ParentKey, Silence } from '../events/silence';
import { Subscribers } from '../events/subscribers';
import { Hooks } from '../hook/hook.repository';
import { tellHooks } from '../hook/tell-hooks';

/** Hooks of a project, and of the groups above it, are told of what happens in it as their switches say. */
@Injectable()
export class TellWebhooks implements Subscriber, OnModuleInit {
  constructor(
    private readonly subscribers: Subscribers,
    private readonly hooks: Hooks,
    private readonly silence: Silence,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this);
  }

  async deliveriesFor(occurrence: Occurrence): Promise<NewDelivery[]> {
    const { web, switch: under } = occurrence;
    const parents = parentsOf(occurrence);
    if (!web || under === null || parents.length === 0) return [];
    const find = (asked: readonly ParentKey[]) => this.hooks.wanting(asked, under);
    return tellHooks(await this.silence.unlessSilent(parents, `hooks ${under}`, find, (hook) => hook), occurrence, web);
  }
}

function parentsOf({ project, groupIds }: Occurrence): ParentKey[] {
  const groups = groupIds.map((parentId) => ({ kind: 'group' as const, parentId }));
  return project ? [{ kind: 'project', parentId: project.id }, ...groups] : groups;
}
