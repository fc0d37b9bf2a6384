import { commonErrors } from '@moothall/contracts';

/**
 * Strings are stored as given, so values that no database stores are refused: NUL and lone surrogates. See
 * docs/api/requests.md#7.
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
