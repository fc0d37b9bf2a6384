const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Names of each unit, longest first if one is a prefix of another. A month has 30 days, a year 365.25. */
const units: readonly [words: string, ms: number][] = [
  ['seconds second secs sec s', second],
  ['minutes minute mins min', minute],
  ['months month mos mo', 30 * day],
  ['m', minute],
  ['hours hour hrs hr h', hour],
  ['days day dy d', day],
  ['weeks week wks wk w', 7 * day],
  ['years year yrs yr y', 365.25 * day],
];
const lengths = new Map(units.flatMap(([words, ms]) => words.split(' ').map((word) => [word, ms] as const)));

const part = /(\d{1,9}(?:\.\d{1,9})?) ?([a-z]+)/y;
const between = /(?:,| and )? */y;

/**
 * A duration in words: `1h`, `90 minutes`, `1 day and 12 hours`, `1.5 months`. See docs/api/registry.md#6.
 * @returns milliseconds; undefined for an invalid or empty duration
 */
export function readOlderThan(given: string): number | undefined {
  const text = given.trim().toLowerCase();
  let ms = 0;
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const [whole = '', amount, unit = ''] = part.exec(text) ?? [];
    const length = lengths.get(unit);
    if (length === undefined) return undefined;
    ms += Number(amount) * length;
    between.lastIndex = at + whole.length;
    at += whole.length + (between.exec(text)?.[0].length ?? 0);
  }
  return ms > 0 ? ms : undefined;
}
