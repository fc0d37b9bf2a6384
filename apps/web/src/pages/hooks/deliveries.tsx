import type { HookEvent } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address } from '../../page/page';
import { Action } from '../../parts/form';
import { Paging } from '../../parts/paging';
import { Moment } from '../../parts/time';
import { withPageOnly } from '../../parts/with-page-only';
import type { Visit } from '../../visit/visits';

interface DeliveriesProps {
  visit: Visit;
  address: Address;
  /** The path of the page of one. */
  pathOf(event: HookEvent): string;
  events: readonly HookEvent[];
}

/** The deliveries of a hook, the latest first. */
export const Deliveries = ({ visit, address, pathOf, events }: DeliveriesProps) => (
  <section aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries of the last week</h2>
    {events.length === 0 && <p class="dim">There are no deliveries.</p>}
    <ul class="list">
      {events.map((event) => (
        <li key={event.id}>
          <p>
            <a href={pathOf(event)}>Delivery {event.id}</a>
          </p>
          <DeliveryFacts event={event} />
          <Resend visit={visit} address={address} event={event} />
        </li>
      ))}
    </ul>
    <Paging address={withPageOnly(address)} shown={events.length} />
  </section>
);

/** Event, time, response, duration and state of a delivery. */
export const DeliveryFacts = ({ event }: { event: HookEvent }) => (
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
export const Resend = ({
  visit,
  address,
  event: { id },
}: Pick<DeliveriesProps, 'visit' | 'address'> & { event: HookEvent }) => (
  <Action visit={visit} address={address} name="resend" of={String(id)} word={`Resend delivery ${id}`} look="quiet" />
);
