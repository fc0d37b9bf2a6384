import type { HookEvent } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address } from '../../page/page';
import { plainText, Text } from '../../parts/texts';
import type { Visit } from '../../visit/visits';
import { DeliveryFacts, Resend } from './deliveries';

interface Props {
  visit: Visit;
  address: Address;
  event: HookEvent;
  /** The link to the hook. */
  hook: { name: string; path: string };
}

/** A delivery with its request and the response. */
export const DeliveryDetails = ({ visit, address, event, hook }: Props) => (
  <>
    <p>
      <a href={hook.path}>{hook.name}</a> <Named>{event.url}</Named>
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
);

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
