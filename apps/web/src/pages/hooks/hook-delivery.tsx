import type { Group, Project } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ParentPage, RouteAddress } from '../../page/page';
import { numberIn } from '../../parts/number-in';
import { plainText, Text } from '../../parts/texts';
import { Accepted, acceptedAt } from './accepted';
import { DeliveryFacts, Resend } from './deliveries';
import { deliveryPath, hookAt, hookPath } from './hook-address';
import { type HooksOf, ofGroup, ofProject } from './hook-operations';

/** A delivery of a webhook, with its request and the response. */
const hookDeliveryPageOf = <T extends { id: number }>(of: HooksOf<T>): ParentPage<T> => ({
  at: '/hooks/:hook_id/hook_logs/:event_id',
  async show(visit, parent, address) {
    const event = await visit.ask(of.operations.getEvent, deliveryAt(parent, address));
    return of.within(visit, parent, {
      title: `Delivery ${event.id}`,
      body: (
        <>
          <Accepted address={address} />
          <p>
            <a href={hookPath(of, parent, address)}>Webhook</a> <Named>{event.url}</Named>
          </p>
          <DeliveryFacts event={event} />
          <Resend visit={visit} address={address} event={event} />
          <h2>Request</h2>
          <Part name="Headers of the request" text={headerLines(event.request_headers)} />
          <Part name="Body of the request" text={JSON.stringify(event.request_data, null, 2)} />
          <h2>Response</h2>
          <Part name="Headers of the response" text={headerLines(event.response_headers)} />
          <Part name="Body of the response" text={event.response_body} />
        </>
      ),
    });
  },
  forms: {
    resend: async (visit, parent, address) => {
      const asked = deliveryAt(parent, address);
      await visit.ask(of.operations.resend, asked);
      return acceptedAt(deliveryPath(of, parent, asked.hook_id, asked.hook_event_id));
    },
  },
});

export const hookDeliveryPage = hookDeliveryPageOf<Project>(ofProject);
export const groupHookDeliveryPage = hookDeliveryPageOf<Group>(ofGroup);

const deliveryAt = (parent: { id: number }, address: RouteAddress) => ({
  ...hookAt(parent, address),
  hook_event_id: numberIn(address, 'event_id'),
});

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const Part = ({ name, text }: { name: string; text: string }) => (
  <>
    <h3>{name}</h3>
    {text === '' ? <p class="dim">Empty</p> : <Text {...plainText(text)} />}
  </>
);
