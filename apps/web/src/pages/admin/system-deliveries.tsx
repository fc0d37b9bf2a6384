import type { HookEvent } from '@moothall/contracts';
import { Named, Notice } from '@moothall/pages';
import type { Address } from '../../page/page';
import { Action } from '../../parts/form';
import { Paging } from '../../parts/paging';
import { Moment } from '../../parts/time';
import type { Visit } from '../../visit/visits';
import { systemDeliveryPath } from './system-hook-address';
import { withPageOnly } from './with-page-only';

interface Props {
  visit: Visit;
  address: Address;
}

/** The page after a test or a resend: it says that the event was sent. */
export const deliveredAt = (path: string): string => `${path}?delivered=1`;

/** Says that an event was sent. A test succeeds whatever the receiver answers. */
export const Delivered = ({ address: { query, refused } }: { address: Address }) =>
  query.has('delivered') && !refused ? (
    <Notice kind="success">The event was sent. The delivery shows the response.</Notice>
  ) : null;

/** The deliveries of a system hook, the latest first. */
export const SystemDeliveries = ({
  visit,
  address,
  hookId,
  events,
}: Props & { hookId: number; events: readonly HookEvent[] }) => (
  <section aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries of the last week</h2>
    {events.length === 0 && <p class="dim">There are no deliveries.</p>}
    <ul class="list">
      {events.map((event) => (
        <li key={event.id}>
          <p>
            <a href={systemDeliveryPath(hookId, event.id)}>Delivery {event.id}</a>
          </p>
          <SystemDeliveryFacts event={event} />
          <ResendToSystemHook visit={visit} address={address} event={event} />
        </li>
      ))}
    </ul>
    <Paging address={withPageOnly(address)} shown={events.length} />
  </section>
);

/** Event, time, response, duration and state of a delivery. */
export const SystemDeliveryFacts = ({ event }: { event: HookEvent }) => (
  <ul class="facts">
    <li>
      <Named>{event.trigger.replace(/_hooks$/, '').replaceAll('_', ' ')}</Named>
    </li>
    <li>
      <Moment at={event.created_at} />
    </li>
    <li>Response: {event.response_status}</li>
    <li>{Math.round(event.execution_duration * 1000)} ms</li>
    <li class="tag">{event.state}</li>
  </ul>
);

/** Sends a delivery again. */
export const ResendToSystemHook = ({ event: { id }, ...form }: Props & { event: HookEvent }) => (
  <Action {...form} name="resend" of={String(id)} word={`Resend delivery ${id}`} look="quiet" />
);
