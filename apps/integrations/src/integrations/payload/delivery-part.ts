import type { Payload } from './payload';

/** What a delivery tells an integration: what happened, and which of several messages about it this is. */
export interface DeliveryPart {
  payload: Payload;
  /** The number of a request, from 0, or whom a mail is to. */
  part: string;
}

/** The key of a delivery: what is told of, and which part of it. */
export const keyOf = (occurrenceId: string, part: string): string => `${occurrenceId} ${part}`;

/** @param payload shared by all parts, and by whoever else is told the same */
export const deliveryPart = ({ key, payload }: { key: string; payload: string }): DeliveryPart => ({
  payload: JSON.parse(payload),
  part: key.slice(key.lastIndexOf(' ') + 1),
});
