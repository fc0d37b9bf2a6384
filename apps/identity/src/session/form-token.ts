import { createHmac, timingSafeEqual } from 'node:crypto';
import { masked, unmasked } from '@moothall/secrets';

/** The token that binds forms to a browser, as one page shows it. */
export const maskedFormToken = (key: string, cookie: string): string => masked(formToken(key, cookie));

/** Whether a sent token, masked or not, belongs to the browser. Pages of earlier versions show it without a mask. */
export function isFormToken(sent: string, key: string, cookie: string): boolean {
  const own = formToken(key, cookie);
  const token = tokenIn(sent);
  return token?.length === own.length && timingSafeEqual(token, own);
}

function tokenIn(sent: string): Buffer | undefined {
  if (/^[\w-]{86}$/.test(sent)) return unmasked(sent);
  return /^[\w-]{43}$/.test(sent) ? Buffer.from(sent, 'base64url') : undefined;
}

const formToken = (key: string, cookie: string): Buffer => createHmac('sha256', key).update(`form:${cookie}`).digest();
