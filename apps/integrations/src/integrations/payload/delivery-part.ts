import type { Payload } from './payload';

/** The payload of a delivery to an integration, and which of several messages about it this is. */
export interface DeliveryPart {
  payload: Payload;
  /** The number of a request, from 0, or the recipient of a mail. */
  part: string;
}

/** The idempotency key of a delivery: occurrence and part. */
export const keyOf = (occurrenceId: string, part: string): string => `${occurrenceId} ${part}`;

/** @param payload shared by all parts and by other integrations */
export const deliveryPart = ({ key, payload }: { key: string; payload: string }): DeliveryPart => ({
  payload: JSON.parse(payload),
  part: key.slice(key.lastIndexOf(' ') + 1),
});
