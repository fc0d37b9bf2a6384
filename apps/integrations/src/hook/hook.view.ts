import type { HookFacts } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DeliveryQueues } from '../delivery/delivery-queue.repository';
import type { DeliveryQueue } from '../delivery/delivery-queue.schema';
import type { Hook, Sealed } from './hook.schema';
import { queueOf } from './hook-delivery-handler';

type Facts = z.infer<typeof HookFacts>;

/** Fields that hooks of all kinds show. */
@Injectable()
export class HookViews {
  constructor(private readonly queues: DeliveryQueues) {}

  async views(hooks: readonly Hook[]): Promise<Map<number, Facts>> {
    const queues = await this.queues.findMany(hooks.map(({ _id }) => queueOf(_id)));
    const byName = new Map(queues.map((queue) => [queue._id, queue]));
    return new Map(hooks.map((hook) => [hook._id, viewHook(hook, byName.get(queueOf(hook._id)))]));
  }
}

const viewHook = (hook: Hook, queue: DeliveryQueue | undefined): Facts => ({
  id: hook._id,
  url: hook.shownUrl,
  name: hook.name,
  description: hook.description,
  created_at: hook.createdAt.toISOString(),
  enable_ssl_verification: hook.verifiesTls,
  push_events_branch_filter: hook.branchFilter,
  branch_filter_strategy: hook.branchFilterStrategy,
  ...healthOf(queue, Date.now()),
  url_variables: hook.urlVariables.map(keyOnly),
  custom_headers: hook.customHeaders.map(keyOnly),
});

function healthOf(queue: DeliveryQueue | undefined, nowMs: number): Pick<Facts, 'alert_status' | 'disabled_until'> {
  if (queue?.isOff) return { alert_status: 'disabled', disabled_until: null };
  const until = queue?.retryAt && queue.retryAt.getTime() > nowMs ? queue.retryAt.toISOString() : null;
  return { alert_status: until ? 'temporarily_disabled' : 'executable', disabled_until: until };
}

const keyOnly = ({ key }: Sealed): { key: string } => ({ key });
