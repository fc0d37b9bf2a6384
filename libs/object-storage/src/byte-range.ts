import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from './object-storage';

/**
 * The part of a file that a client requests: from one byte to the end or to a last one, or a number of bytes at the
 * end.
 */
export type RequestedRange = { first: number; last?: number } | { atEnd: number };

const one = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/i;

/**
 * @param etag of the file; a part of another version is not sent (`If-Range`)
 * @returns undefined if the whole file must be sent: no part is requested, or several, or with an unknown unit
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

/** The range of bytes in a file of this size; undefined if it is outside. */
export function bytesOf(asked: RequestedRange, sizeBytes: number): ByteRange | undefined {
  const start = 'atEnd' in asked ? Math.max(0, sizeBytes - asked.atEnd) : asked.first;
  const end = 'atEnd' in asked ? sizeBytes : Math.min(sizeBytes, (asked.last ?? sizeBytes) + 1);
  return start < end ? { start, end } : undefined;
}
