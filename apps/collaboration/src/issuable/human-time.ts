const minute = 60;
const hour = 60 * minute;
/** Working time: a day has 8 hours, a week 5 days, a month 4 weeks. */
const day = 8 * hour;
const week = 5 * day;
const month = 4 * week;

const units = [
  ['mo', month],
  ['w', week],
  ['d', day],
  ['h', hour],
  ['m', minute],
] as const;
const sizes = new Map<string, number>([...units, ['s', 1]]);

/** `1w 3d` for seconds of work; null for none. */
export function humanTime(seconds: number): string | null {
  let rest = Math.abs(seconds);
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.length === 0 ? null : `${seconds < 0 ? '-' : ''}${parts.join(' ')}`;
}

/** Limit of one duration in seconds, about 68 years: sums stay safe integers. */
const most = 2 ** 31 - 1;
const longest = 255;

/** Seconds for `1mo 2w 3d 4h 5m 6s`, also with a leading minus; undefined if it is invalid or too large. */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longest) return undefined;
  const sign = trimmed.startsWith('-') ? -1 : 1;
  const body = sign < 0 ? trimmed.slice(1).trimStart() : trimmed;
  if (body === '') return undefined;
  const part = /(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)\s*/iy;
  let seconds = 0;
  while (part.lastIndex < body.length) {
    const [, count, unit] = part.exec(body) ?? [];
    if (unit === undefined) return undefined;
    seconds += Number(count) * (sizes.get(unit.toLowerCase()) ?? 0);
  }
  return seconds <= most ? Math.round(seconds) * sign : undefined;
}
