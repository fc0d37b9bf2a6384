import { randomBytes } from 'node:crypto';

/**
 * A new token: recognisable by its prefix, and shorter than 64 characters, since some clients take longer ones for
 * OAuth tokens. See docs/api/tokens.md#1.
 */
export const newTokenValue = (prefix: string): string => `${prefix}${randomBytes(15).toString('base64url')}`;
