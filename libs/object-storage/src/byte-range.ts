import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from './object-storage';

/** The part of a file that a client asks for: from one byte on, up to a last one or not; or so many at the end. */
export type RequestedRange = { first: number; last?: number } | { atEnd: number };

const one = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * @param etag what the file is known by; a part of another one is not asked for (`If-Range`)
 * @returns undefined where all of it is to be sent: no part is asked for, or several, or in a way that nobody knows
 * @see docs/api/answers.md#9
 */
export function requestedRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string | undefined,
): RequestedRange | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const [, first, last, atEnd] = one.exec(range.trim()) ?? [];
  if (atEnd !== undefined) return { atEnd: Number(atEnd) };
  if (first === undefined) return undefined;
  if (last === undefined) return { first: Number(first) };
  return Number(last) < Number(first) ? undefined : { first: Number(first), last: Number(last) };
}

/** The bytes that are meant, of a file of so many; undefined where it has none of them. */
export function bytesOf(asked: RequestedRange, sizeBytes: number): ByteRange | undefined {
  const start = 'atEnd' in asked ? Math.max(0, sizeBytes - asked.atEnd) : asked.first;
  const end = 'atEnd' in asked ? sizeBytes : Math.min(sizeBytes, (asked.last ?? sizeBytes) + 1);
  return start < end ? { start, end } : undefined;
}
