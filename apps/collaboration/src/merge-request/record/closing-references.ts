const verbs = 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?';
const phrase = new RegExp(`\\b(?:${verbs}):?\\s+((?:#\\d{1,15}(?:\\s*,?\\s*(?:and\\s+)?)?)+)`, 'gi');

/** Numbers of the issues that a text says it closes, as in `Closes #1, #2 and #3`. */
export function closedBy(...texts: (string | null)[]): number[] {
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(phrase)].map(([, list = '']) => list));
  return [...new Set(found.flatMap((list) => [...list.matchAll(/#(\d+)/g)].map(([, iid]) => Number(iid))))];
}
