import type { PersonalAccessToken } from '@moothall/contracts';
import type { z } from 'zod';
import type { AccessToken } from './token.schema';

export const isExpired = (token: { expiresAt: Date | null }): boolean =>
  token.expiresAt !== null && token.expiresAt.getTime() <= Date.now();

export const isActive = (token: AccessToken): boolean => token.revokedAt === null && !isExpired(token);

export function viewToken(token: AccessToken): z.infer<typeof PersonalAccessToken> {
  return {
    id: token._id,
    name: token.name,
    description: token.description,
    revoked: token.revokedAt !== null,
    created_at: token.createdAt.toISOString(),
    scopes: token.scopes,
    user_id: token.userId,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    active: isActive(token),
    expires_at: token.expiresAt?.toISOString().slice(0, 10) ?? null,
  };
}

/** The beginning of a day given as `YYYY-MM-DD`, UTC; null for none. */
export const expiryOf = (day: string | null | undefined): Date | null => (day ? new Date(`${day}T00:00:00Z`) : null);
