import type { IncomingMessage } from 'node:http';

/**
 * Some clients write letters of other scripts into the request line as they are. Node reads those bytes as latin1; they
 * are percent-encoded here, as they ought to have come.
 */
export function readableUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (!/[\x80-\xff]/.test(url)) return url;
  return url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}
