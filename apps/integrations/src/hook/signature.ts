import { createHash, createHmac } from 'node:crypto';

/** The bytes of a key: base64 after `whsec_`, else its text. */
const keyOf = (token: string): Buffer =>
  token.startsWith('whsec_') ? Buffer.from(token.slice('whsec_'.length), 'base64') : Buffer.from(token, 'utf8');

/** Source: Standard Webhooks 1.0, symmetric signatures. */
export function signatureOf(token: string, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', keyOf(token)).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A deterministic UUID for a text; a UUID stays unchanged. Source: RFC 9562 5.8. */
export function uuidOf(text: string): string {
  if (uuid.test(text)) return text;
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
