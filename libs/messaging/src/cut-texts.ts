/** A copy of an answer with at most `most` characters of each text in it. */
export function cutTexts(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.slice(0, most);
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, most));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutTexts(each, most)]));
}

/** Others, such as dates, write themselves as JSON. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
