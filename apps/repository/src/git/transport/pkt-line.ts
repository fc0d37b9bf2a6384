import type { ByteQueue } from '../process/byte-queue';
import { GitError } from '../process/errors';

/** A packet of the git protocol: four hex digits of length, then the payload; lengths below four are markers. */
export type Packet = { payload: Buffer; isFlush: boolean };

const NO_PAYLOAD = Buffer.alloc(0);
/** Longest packet git writes or takes. */
export const MAX_PACKET_BYTES = 65520;

/** The next packet, or null if it is incomplete. @throws request_malformed */
export function takePacket(queue: ByteQueue): Packet | null {
  const head = queue.take(4);
  if (!head) return null;
  const digits = head.toString('latin1');
  const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (Number.isNaN(length) || length === 3 || length > MAX_PACKET_BYTES) throw new GitError('request_malformed');
  if (length < 4) return { payload: NO_PAYLOAD, isFlush: length === 0 };
  const payload = queue.take(length - 4);
  if (payload) return { payload, isFlush: false };
  queue.unshift(head);
  return null;
}

/** Encodes a payload as a packet. */
export function packet(payload: Buffer | string): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

export const FLUSH = Buffer.from('0000');
