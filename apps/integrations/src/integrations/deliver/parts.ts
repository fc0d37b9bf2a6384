import { requestBuilders } from '../kinds/request-builders';
import { mostRecipients, recipientsIn } from '../mail/recipients';
import type { OpenedIntegration } from '../opened-integrations';
import type { Payload } from '../payload/payload';
import { setting } from '../request/outgoing';
import type { Tracker } from '../tracker/external-issues';

/**
 * The messages of one integration for a payload: their numbers, or the recipients of mails.
 * @param pusher email address of the user who pushed, for integrations with `add_pusher`
 */
export function partsFor(
  { kind, document, settings }: OpenedIntegration,
  payload: Payload,
  tracker: Tracker | undefined,
  pusher: string,
): string[] {
  if (kind.profile === 'emails') {
    const addresses = `${setting(settings, 'recipients')} ${settings.add_pusher === true ? pusher : ''}`;
    return recipientsIn(addresses).slice(0, mostRecipients);
  }
  const build = requestBuilders[kind.slug];
  if (!build) return ['0'];
  const comments = document.switches.comment_on_event_enabled !== false;
  return build(payload, { settings, comments, tracker }).map((_, part) => String(part));
}
