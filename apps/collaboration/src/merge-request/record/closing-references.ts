const verbs = 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?';
const phrase = new RegExp(`\\b(?:${verbs}):?\\s+((?:#\\d{1,15}(?:\\s*,?\\s*(?:and\\s+)?)?)+)`, 'gi');

/** Limit of issue numbers that one merge request closes. */
export const followed = 100;

/** Numbers of the issues that texts close, as in `Closes #1, #2 and #3`, up to the limit. */
export function closedBy(...texts: (string | null)[]): number[] {
  const found = new Set<number>();
  for (const text of texts) {
    for (const [, list = ''] of (text ?? '').matchAll(phrase)) {
      for (const [, iid] of list.matchAll(/#(\d+)/g)) {
        if (found.size === followed) return [...found];
        found.add(Number(iid));
      }
    }
  }
  return [...found];
}
