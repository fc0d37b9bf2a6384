import { scopes as knownScopes, type Scope } from '@moothall/contracts';
import type { Application } from '../application/application.schema';

/**
 * The scopes of a request: the named ones, if the application may have all of them; without names `api`, or else
 * everything that the application may have.
 * @param application null for a password exchanged without one, which may have any scope
 * @returns undefined for a request of too many scopes
 */
export function readScopes(asked: string[] | undefined, application: Application | null): Scope[] | undefined {
  const allowed: readonly Scope[] = application ? application.scopes : knownScopes;
  const named = [...new Set(asked ?? [])].filter(Boolean);
  if (named.length === 0) return allowed.includes('api') ? ['api'] : [...allowed];
  return named.every((scope): scope is Scope => allowed.some((known) => known === scope))
    ? (named as Scope[])
    : undefined;
}
