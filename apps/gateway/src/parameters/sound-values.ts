import { commonErrors } from '@moothall/contracts';

/** What no client means; v4 servers read JSON to this depth too. */
const maxDepth = 100;

/**
 * Strings are kept as given, so they hold nothing that no store keeps: no NUL and no half of a surrogate pair. What
 * nests without end would end whoever walks it. Source: clarifications A.8.
 * @throws common.bad_request
 */
export function refuseUnsound(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw commonErrors.badRequest();
  } else if (typeof value === 'object' && value !== null) {
    if (depth === maxDepth) throw commonErrors.badRequest();
    for (const key in value) {
      refuseUnsound(key);
      refuseUnsound((value as Record<string, unknown>)[key], depth + 1);
    }
  }
}
