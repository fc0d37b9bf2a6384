import { getProjectHookEvent, resendProjectHookEvent } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { inSettings } from '../../parts/in-settings';
import { numberIn } from '../../parts/number-in';
import { plainText, Text } from '../../parts/texts';
import { Accepted, acceptedAt } from './accepted';
import { DeliveryFacts, Resend } from './deliveries';
import { deliveryPath, hookAt, hookPath } from './hook-address';

/** A delivery of a webhook, with its request and the response. */
export const hookDeliveryPage: ProjectPage = {
  at: '/hooks/:hook_id/hook_logs/:event_id',
  async show(visit, project, address) {
    const asked = { ...hookAt(project, address), hook_event_id: numberIn(address, 'event_id') };
    const event = await visit.ask(getProjectHookEvent, asked);
    return inSettings(visit, project, {
      title: `Delivery ${event.id}`,
      body: (
        <>
          <Accepted address={address} />
          <p>
            <a href={hookPath(project, address)}>Webhook</a> <Named>{event.url}</Named>
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
    resend: async (visit, project, address) => {
      const asked = { ...hookAt(project, address), hook_event_id: numberIn(address, 'event_id') };
      await visit.ask(resendProjectHookEvent, asked);
      return acceptedAt(deliveryPath(project, asked.hook_id, asked.hook_event_id));
    },
  },
};

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
