import { randomUUID } from 'node:crypto';
import { type HookEvent, hookErrors, type Page } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Deliverer } from '../delivery/deliverer';
import { DeliveryRecords } from '../delivery/delivery.repository';
import type { FullDelivery } from '../delivery/delivery.schema';
import type { Payload } from '../events/occurrence';
import { eventOf, queueOf } from './hook-delivery-handler';

const statusRanges: Readonly<Record<string, [number, number]>> = {
  successful: [200, 299],
  client_failure: [400, 499],
  server_failure: [500, 599],
};

/** Lists deliveries of hooks and resends them. See docs/api/hooks.md#6. */
@Injectable()
export class HookHistory {
  constructor(
    private readonly records: DeliveryRecords,
    private readonly deliverer: Deliverer,
  ) {}

  async page(
    hookId: number,
    { status, ...input }: { status?: string | undefined; page: number; per_page: number },
  ): Promise<Page<HookEvent>> {
    const [least, most] = (status && statusRanges[status]) || [Number(status), Number(status)];
    const filter = status === undefined ? {} : { 'answer.status': { $gte: least, $lte: most } };
    const { items, ...rest } = await this.records.page(queueOf(hookId), filter, input);
    return { ...rest, items: items.map(view) };
  }

  /** @throws hook.event_not_found */
  async get(hookId: number, eventId: number): Promise<HookEvent> {
    return view(await this.find(hookId, eventId));
  }

  /** Sends an earlier delivery again. @throws hook.event_not_found, hook.not_delivered */
  async resend(hookId: number, eventId: number): Promise<number> {
    const past = await this.find(hookId, eventId);
    const key = `${eventOf(past.key)}#${randomUUID()}`;
    return this.sendNow(hookId, { trigger: past.trigger, payload: past.payload, key });
  }

  /** Sends a sample. @throws hook.not_delivered */
  async test(hookId: number, trigger: string, sample: Payload): Promise<void> {
    await this.sendNow(hookId, { trigger, payload: JSON.stringify(sample), key: randomUUID() });
  }

  private async find(hookId: number, eventId: number): Promise<FullDelivery> {
    const past = await this.records.find(queueOf(hookId), eventId);
    if (!past) throw hookErrors.eventNotFound();
    return past;
  }

  private async sendNow(hookId: number, given: { trigger: string; payload: string; key: string }): Promise<number> {
    const sent = await this.deliverer.sendNow({ ...given, line: queueOf(hookId) });
    if (!sent) throw hookErrors.notFound();
    if (sent.state !== 'sent')
      throw hookErrors.notDelivered(`Hook execution failed: ${sent.error ?? 'the receiver did not take it'}`);
    return sent.answer?.status ?? 0;
  }
}

const view = (delivery: FullDelivery): HookEvent => ({
  id: delivery._id,
  url: delivery.shownUrl ?? '',
  trigger: delivery.trigger,
  request_headers: delivery.requestHeaders ?? {},
  request_data: JSON.parse(delivery.payload),
  response_headers: delivery.answer?.headers ?? {},
  response_body: delivery.answer?.body ?? delivery.error ?? '',
  response_status: delivery.answer ? String(delivery.answer.status) : 'internal error',
  execution_duration: delivery.durationSeconds ?? 0,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: delivery.createdAt.toISOString(),
});
