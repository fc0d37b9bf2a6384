import { getSystemHookEvent, resendSystemHookEvent } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { SitePage } from '../../page/page';
import { inAdmin } from '../../parts/in-admin';
import { plainText, Text } from '../../parts/texts';
import { Delivered, deliveredAt, ResendToSystemHook, SystemDeliveryFacts } from './system-deliveries';
import { systemDeliveryAt, systemDeliveryPath, systemHookPath } from './system-hook-address';

/** A delivery of a system hook, with its request and the response. */
export const systemHookDeliveryPage: SitePage = {
  at: '/admin/hooks/:hook_id/hook_logs/:event_id',
  show: (visit, address) =>
    inAdmin(visit, address, async () => {
      const asked = systemDeliveryAt(address);
      const event = await visit.ask(getSystemHookEvent, asked);
      return {
        title: `Delivery ${event.id}`,
        body: (
          <>
            <Delivered address={address} />
            <p>
              <a href={systemHookPath(asked.id)}>System hook</a> <Named>{event.url}</Named>
            </p>
            <SystemDeliveryFacts event={event} />
            <ResendToSystemHook visit={visit} address={address} event={event} />
            <h2>Request</h2>
            <Part name="Headers of the request" text={headerLines(event.request_headers)} />
            <Part name="Body of the request" text={JSON.stringify(event.request_data, null, 2)} />
            <h2>Response</h2>
            <Part name="Headers of the response" text={headerLines(event.response_headers)} />
            <Part name="Body of the response" text={event.response_body} />
          </>
        ),
      };
    }),
  forms: {
    resend: async (visit, address) => {
      const asked = systemDeliveryAt(address);
      await visit.ask(resendSystemHookEvent, asked);
      return deliveredAt(systemDeliveryPath(asked.id, asked.hook_event_id));
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
