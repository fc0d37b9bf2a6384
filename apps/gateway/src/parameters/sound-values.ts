import { commonErrors } from '@moothall/contracts';

/**
 * Strings are kept as given, so they hold nothing that no store keeps: no NUL and no half of a surrogate pair.
 * See docs/api/requests.md#7.
 * @throws common.bad_request
 */
export function refuseUnsound(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw commonErrors.badRequest();
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      refuseUnsound(key);
      refuseUnsound((value as Record<string, unknown>)[key]);
    }
  }
}
