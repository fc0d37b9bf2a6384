import { isAscii, isUtf8, transcode } from 'node:buffer';
import { invalidBson } from './value-size';

/** From this number of bytes on, a check before decoding is faster. */
const longBytes = 256;

/**
 * Decodes UTF-8 of `bytes[start..end)`. Long texts beyond ASCII are decoded by way of UTF-16, for which the decoder
 * of Node needs twenty times as long.
 * @throws InvalidBSON (22) for invalid UTF-8, which would be written back as other bytes
 */
export function readText(bytes: Buffer, start: number, end: number): string {
  return end - start < longBytes ? readShort(bytes, start, end) : readLong(bytes.subarray(start, end));
}

function readShort(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes('\ufffd') && !bytes.subarray(start, end).equals(Buffer.from(text))) throw notUtf8();
  return text;
}

function readLong(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw notUtf8();
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}

const notUtf8 = () => invalidBson('string is not UTF-8');
