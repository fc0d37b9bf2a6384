import { isUtf8 } from 'node:buffer';

/** A header in its original encoding: Node reads the bytes as latin1, and clients send UTF-8. */
export function headerText(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is all of ASCII
  if (/^[\x00-\x7f]*$/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
