import { Cron } from 'croner';

const macros = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@noon', '0 12 * * *'],
  ['@hourly', '0 * * * *'],
]);

const maxLength = 1000;

interface Field {
  min: number;
  max: number;
  names: string[];
}

const field = (min: number, max: number, names: string[] = []): Field => ({ min, max, names });
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields = [field(0, 59), field(0, 23), field(1, 31), field(1, 12, months), field(0, 6, weekdays)];

/**
 * The first time after `after` at which a cron expression is due in a zone, to the minute. A time that is skipped in
 * spring runs at the end of the gap; one that is repeated in autumn runs the first time, unless hours or minutes are
 * `*`, which run through both.
 * @param zone name in the tz database
 * @returns null for expressions without a date, such as the 30th of February
 * @throws Error if it is neither a cron expression of five fields nor a macro
 */
export function nextRun(cron: string, zone: string, after: Date): Date | null {
  return new Cron(normalized(cron), { timezone: zone, paused: true, mode: '5-part' }).nextRun(after);
}

/** The last time before or at `at`; null if there was none within years, or the expression is invalid. */
export function previousRun(cron: string, zone: string, at: Date): Date | null {
  try {
    // The current minute counts as past.
    const until = new Date(at.getTime() + 1);
    return (
      new Cron(normalized(cron), { timezone: zone, paused: true, mode: '5-part' }).previousRuns(1, until)[0] ?? null
    );
  } catch {
    return null;
  }
}

/** Expands forms of v4 clients that the library does not support: macros, `5/15`, `22-2`, `fri-mon`. */
function normalized(cron: string): string {
  if (cron.length > maxLength) throw new Error('the cron expression is too long');
  const trimmed = cron.trim().toLowerCase();
  const parts = (macros.get(trimmed) ?? trimmed).split(/\s+/);
  // Libraries add missing fields, or read a sixth as seconds: neither is intended.
  if (parts.length !== fields.length) throw new Error('a cron expression has five fields');
  return parts
    .map((part, index) =>
      part
        .split(',')
        .map((item) => unfold(item, fields[index]))
        .join(','),
    )
    .join(' ');
}

function unfold(item: string, field: Field | undefined): string {
  const [, first, last, step] = /^([^/-]+)(?:-([^/-]+))?(?:\/(\d+))?$/.exec(item) ?? [];
  if (!field || first === undefined) return item;
  const from = numberOf(first, field);
  if (from === undefined) return item;
  if (last === undefined) return step === undefined ? String(from) : `${from}-${field.max}/${step}`;
  const to = numberOf(last, field);
  if (to === undefined) return item;
  // Outside of the field's range it is passed unchanged to the library, which refuses it.
  if (from <= to || from > limitOf(field)) return span(from, to, step);
  return wrapped(from, to, Number(step ?? 1), field);
}

const span = (from: number, to: number, step?: string): string => `${from}-${to}${step ? `/${step}` : ''}`;

/** A range over the end of its field, as `22-2` hours; the step continues after it. */
function wrapped(from: number, to: number, step: number, { min, max }: Field): string {
  if (step < 1) throw new Error('a step is at least 1');
  const size = max - min + 1;
  const length = to + size - from;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, n) => ((from - min + n * step) % size) + min).join();
}

/** Sunday is 0 and 7. */
const limitOf = ({ max, names }: Field): number => (names === weekdays ? 7 : max);

function numberOf(text: string, { names, min }: Field): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text);
  return index < 0 ? undefined : index + min;
}
