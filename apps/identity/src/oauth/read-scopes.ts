import { scopes as knownScopes, type Scope } from '@moothall/contracts';
import type { Application } from '../application/application.schema';

/**
 * The scopes that a request gets: those it names, where the application may have them all; `api`, or else everything
 * the application may have, where it names none.
 * @param application null for passwords exchanged without one, which may have any
 * @returns undefined when it asks for more
 */
export function readScopes(asked: string[] | undefined, application: Application | null): Scope[] | undefined {
  const allowed: readonly Scope[] = application ? application.scopes : knownScopes;
  const named = [...new Set(asked ?? [])].filter(Boolean);
  if (named.length === 0) return allowed.includes('api') ? ['api'] : [...allowed];
  return named.every((scope): scope is Scope => allowed.some((known) => known === scope))
    ? (named as Scope[])
    : undefined;
}
