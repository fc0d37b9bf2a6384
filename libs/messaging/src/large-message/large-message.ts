import type { Readable } from 'node:stream';
import { commonErrors } from '@moothall/contracts';
import { ConnectionPools } from '@moothall/data-port';
import { request } from 'undici';

/** A body that was too large for a message and waits at the data port of its sender, to be fetched once. */
export interface LargeMessage {
  url: string;
  sizeBytes: number;
  /** Of the bytes, in hex; ETags of answers are derived from it. */
  sha1: string;
  /** Number of items, if the body is an array. */
  items?: number | undefined;
}

/** The largest body that is read into memory. */
export const maxReadBytes = 256 * 1024 * 1024;

// A stalled sender is given up, but a slow reader is not, since its pauses do not count.
const senders = new ConnectionPools({ headersTimeout: 30_000, bodyTimeout: 30_000, keepAliveTimeout: 5_000 });

/** The bytes as a stream. @throws common.unavailable if the sender has stopped */
export async function openLargeMessage({ url }: LargeMessage): Promise<Readable> {
  const { statusCode, body } = await request(url, { dispatcher: senders.to(url) }).catch(() => {
    throw commonErrors.unavailable();
  });
  if (statusCode === 200) return body;
  await body.dump();
  throw commonErrors.unavailable();
}

/** All bytes. @throws common.too_large above {@link maxReadBytes}; common.unavailable if they are incomplete */
export async function readLargeMessage(parcel: LargeMessage): Promise<Uint8Array> {
  if (parcel.sizeBytes > maxReadBytes) {
    await discardLargeMessage(parcel);
    throw commonErrors.tooLarge();
  }
  const bytes = Buffer.allocUnsafe(parcel.sizeBytes);
  let length = 0;
  try {
    for await (const chunk of await openLargeMessage(parcel)) {
      if (length + chunk.length > bytes.length) break;
      length += (chunk as Buffer).copy(bytes, length);
    }
  } catch {
    throw commonErrors.unavailable();
  }
  if (length !== bytes.length) throw commonErrors.unavailable();
  return bytes;
}

/** Tells the sender to delete it. If that fails, the sender deletes it after a minute. */
export async function discardLargeMessage({ url }: LargeMessage): Promise<void> {
  await request(url, { dispatcher: senders.to(url), method: 'DELETE' }).then(
    ({ body }) => body.dump(),
    () => undefined,
  );
}
