import type { IncomingMessage } from 'node:http';

/**
 * Some clients send raw non-ASCII characters in the request line. Node reads the bytes as latin1; they are
 * percent-encoded here.
 */
export function readableUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!/[\x80-\xff]/.test(url)) return url;
  return url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}
