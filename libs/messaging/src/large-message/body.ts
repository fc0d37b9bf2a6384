import type { NatsConnection } from 'nats';

/** A body that is too large for a message, as consecutive texts. */
export interface LargeBody {
  texts: Iterable<string>;
  /** Number of items, if it is an array. */
  items?: number | undefined;
}

/** NATS advises against larger messages: the next message of a connection waits for all of it. */
const advisedBytes = 1024 * 1024;

/** Bytes that a body may have in a message; the rest is for its headers. */
export function bodyLimit({ info }: NatsConnection): number {
  return Math.min(advisedBytes, (info?.max_payload ?? advisedBytes) / 2);
}

const encoder = new TextEncoder();

/** @returns the bytes of a text, or the text itself if they are more than `limit` */
export function encodeText(text: string, limit: number, items?: number): Uint8Array | LargeBody {
  // No character is less than a byte.
  const data = text.length > limit ? undefined : encoder.encode(text);
  return data && data.length <= limit ? data : { texts: [text], items };
}

/** The same with the JSON of a value. */
export function encodeJson(body: unknown, limit: number): Uint8Array | LargeBody {
  return Array.isArray(body) ? encodeItems(body, limit) : encodeText(JSON.stringify(body), limit);
}

/** One by one: together they may be longer than a string can be, and would block the event loop. */
function encodeItems(items: unknown[], limit: number): Uint8Array | LargeBody {
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ',';
    text += jsonOf(items[index]);
    if (text.length > limit) return { texts: textsOf(text, items.slice(index + 1)), items: items.length };
  }
  return encodeText(`${text}]`, limit, items.length);
}

function* textsOf(begun: string, rest: unknown[]): Generator<string> {
  yield begun;
  for (const item of rest) yield `,${jsonOf(item)}`;
  yield ']';
}

const jsonOf = (item: unknown): string => JSON.stringify(item) ?? 'null';
