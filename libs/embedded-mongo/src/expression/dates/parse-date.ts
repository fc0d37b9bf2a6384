import { MongoError } from '../../errors';
import * as calendar from './calendar';
import { fromLocal, type Zone, zoneNamed } from './time-zone';

const patterns: Record<string, { pattern: string; part: string }> = {
  Y: { pattern: '\\d{4}', part: 'year' },
  m: { pattern: '\\d{1,2}', part: 'month' },
  d: { pattern: '\\d{1,2}', part: 'day' },
  H: { pattern: '\\d{1,2}', part: 'hour' },
  M: { pattern: '\\d{1,2}', part: 'minute' },
  S: { pattern: '\\d{1,2}', part: 'second' },
  L: { pattern: '\\d{1,3}', part: 'millisecond' },
  j: { pattern: '\\d{1,3}', part: 'dayOfYear' },
  G: { pattern: '\\d{4}', part: 'isoWeekYear' },
  V: { pattern: '\\d{1,2}', part: 'isoWeek' },
  u: { pattern: '[1-7]', part: 'isoDayOfWeek' },
  z: { pattern: 'Z|[+-]\\d{2}:?\\d{2}', part: 'zone' },
};

const iso =
  /^(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?(?:[T ](?<hour>\d{1,2})(?::(?<minute>\d{2}))?(?::(?<second>\d{2}))?(?:[.,](?<millisecond>\d{1,3})\d*)?)?\s*(?<zone>Z|[+-]\d{2}:?\d{2}|[A-Z][A-Za-z]+(?:\/\w+)*)?$/;

/**
 * Parses a date from a text, by a format or as ISO 8601.
 * @param isZoneGiven whether a zone was given: then the text must not contain another
 * @throws ConversionFailure (241) for an invalid date
 */
export function parseDate(text: string, format: string | undefined, zone: Zone, isZoneGiven: boolean): Date {
  const groups = (format === undefined ? iso : patternOf(format)).exec(text)?.groups;
  if (!groups) throw unreadable(text);
  if (groups.zone && isZoneGiven) {
    throw new MongoError(
      'ConversionFailure',
      `you cannot pass in a date/time string with time zone information ('${groups.zone}') together with a timezone argument`,
    );
  }
  const number = (name: string, otherwise: number): number =>
    groups[name] === undefined ? otherwise : Number(groups[name]);
  const day = groups.isoWeekYear
    ? calendar.isoDate(number('isoWeekYear', 1970), number('isoWeek', 1), number('isoDayOfWeek', 1))
    : dayOf(
        number('year', 1970),
        number('month', 1),
        groups.dayOfYear ? number('dayOfYear', 1) : number('day', 1),
        groups.dayOfYear !== undefined,
        text,
      );
  const [hour, minute, second] = [number('hour', 0), number('minute', 0), number('second', 0)];
  if (hour > 23 || minute > 59 || second > 59) throw unreadable(text);
  const milliseconds = Number((groups.millisecond ?? '0').padEnd(3, '0'));
  const local = new Date(day + ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds);
  return fromLocal(local, groups.zone ? zoneNamed(groups.zone) : zone);
}

function dayOf(year: number, month: number, day: number, isDayOfYear: boolean, text: string): number {
  if (isDayOfYear) return calendar.utc(year, 1, day);
  const date = calendar.utc(year, month, day);
  if (new Date(date).getUTCMonth() !== month - 1) throw unreadable(text);
  return date;
}

function patternOf(format: string): RegExp {
  const source = format.replace(/%([\s\S]?)|[\s\S]/g, (text, specifier: string | undefined) => {
    if (specifier === '%') return '%';
    if (specifier === undefined) return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    const known = Object.hasOwn(patterns, specifier) ? patterns[specifier] : undefined;
    if (!known) throw new MongoError(18536, `Invalid format character '%${specifier}' in format string`);
    return `(?<${known.part}>${known.pattern})`;
  });
  try {
    return new RegExp(`^${source}$`);
  } catch {
    throw new MongoError('ConversionFailure', `Error parsing date format '${format}': a part is named twice`);
  }
}

function unreadable(text: string): MongoError {
  return new MongoError('ConversionFailure', `Error parsing date string '${text}'`);
}
