import { present } from '@moothall/contracts';

/** A key is published for so long after the next one signs: far longer than its tokens are valid. */
export const publishedForMs = 24 * 60 * 60 * 1000;

/**
 * Selects the signing key, and the published keys.
 * @param keys in order; each one signs until the next one does
 */
export function chooseKeys<K extends { signsFrom: number }>(
  keys: readonly K[],
  now: number,
): { current: K; published: K[] } {
  const current = keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];
  const published = keys.filter((_, at) => (keys[at + 1]?.signsFrom ?? now) + publishedForMs > now);
  return { current: present(current, 'a key to sign with'), published };
}
