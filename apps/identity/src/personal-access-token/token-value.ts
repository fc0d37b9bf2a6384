import { randomBytes } from 'node:crypto';

/**
 * A new token: it has a prefix, and less than 64 characters, because some clients take longer ones for OAuth tokens.
 * See docs/api/tokens.md#1.
 */
export const newTokenValue = (prefix: string): string => `${prefix}${randomBytes(15).toString('base64url')}`;
