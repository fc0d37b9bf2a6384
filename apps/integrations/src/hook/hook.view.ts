import type { HookFacts } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DeliveryQueues } from '../delivery/delivery-queue.repository';
import type { DeliveryQueue } from '../delivery/delivery-queue.schema';
import type { Hook, Sealed } from './hook.schema';
import { queueOf } from './hook-delivery-handler';

type Facts = z.infer<typeof HookFacts>;

/** What hooks of every kind show. */
@Injectable()
export class HookViews {
  constructor(private readonly lines: DeliveryQueues) {}

  async views(hooks: readonly Hook[]): Promise<Map<number, Facts>> {
    const lines = await this.lines.findMany(hooks.map(({ _id }) => queueOf(_id)));
    const byName = new Map(lines.map((line) => [line._id, line]));
    return new Map(hooks.map((hook) => [hook._id, viewHook(hook, byName.get(queueOf(hook._id)))]));
  }
}

const viewHook = (hook: Hook, line: DeliveryQueue | undefined): Facts => ({
  id: hook._id,
  url: hook.shownUrl,
  name: hook.name,
  description: hook.description,
  created_at: hook.createdAt.toISOString(),
  enable_ssl_verification: hook.verifiesTls,
  push_events_branch_filter: hook.branchFilter,
  branch_filter_strategy: hook.branchFilterStrategy,
  ...healthOf(line, Date.now()),
  url_variables: hook.urlVariables.map(keyOnly),
  custom_headers: hook.customHeaders.map(keyOnly),
});

function healthOf(line: DeliveryQueue | undefined, nowMs: number): Pick<Facts, 'alert_status' | 'disabled_until'> {
  if (line?.isOff) return { alert_status: 'disabled', disabled_until: null };
  const until = line?.retryAt && line.retryAt.getTime() > nowMs ? line.retryAt.toISOString() : null;
  return { alert_status: until ? 'temporarily_disabled' : 'executable', disabled_until: until };
}

const keyOnly = ({ key }: Sealed): { key: string } => ({ key });
