import { commonErrors } from '@moothall/contracts';

/** Limit of pairs; each costs more than its bytes, and real forms are smaller. */
const maxPairs = 65_536;

/**
 * The pairs of a query or form in their order, which matters for arrays of hashes.
 * @throws common.bad_request for invalid percent-encoding or UTF-8, as on v4 servers
 */
export function* formPairs(text: string): Generator<[name: string, value: string]> {
  let start = 0;
  for (let count = 0; start < text.length; count++) {
    if (count === maxPairs) throw commonErrors.tooLarge();
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) yield pairIn(text.slice(start, end));
    start = end + 1;
  }
}

function pairIn(text: string): [string, string] {
  const equals = text.indexOf('=');
  return equals === -1 ? [decode(text), ''] : [decode(text.slice(0, equals)), decode(text.slice(equals + 1))];
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw commonErrors.badRequest();
  }
}
