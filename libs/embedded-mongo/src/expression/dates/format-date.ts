import { MongoError } from '../../errors';
import * as calendar from './calendar';
import { toLocal, type Zone } from './time-zone';

const monthNames = 'January February March April May June July August September October November December'.split(' ');

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

const specifiers: Record<string, (local: Date, offsetMinutes: number) => string> = {
  Y: (local) => pad(local.getUTCFullYear(), 4),
  m: (local) => pad(local.getUTCMonth() + 1, 2),
  d: (local) => pad(local.getUTCDate(), 2),
  H: (local) => pad(local.getUTCHours(), 2),
  M: (local) => pad(local.getUTCMinutes(), 2),
  S: (local) => pad(local.getUTCSeconds(), 2),
  L: (local) => pad(local.getUTCMilliseconds(), 3),
  j: (local) => pad(calendar.dayOfYear(local), 3),
  w: (local) => String(local.getUTCDay() + 1),
  u: (local) => String(calendar.isoDayOfWeek(local)),
  U: (local) => pad(calendar.week(local), 2),
  V: (local) => pad(calendar.isoWeek(local), 2),
  G: (local) => pad(calendar.isoWeekYear(local), 4),
  b: (local) => (monthNames[local.getUTCMonth()] as string).slice(0, 3),
  B: (local) => monthNames[local.getUTCMonth()] as string,
  z: (_local, minutes) =>
    `${sign(minutes)}${pad(Math.floor(Math.abs(minutes) / 60), 2)}${pad(Math.abs(minutes) % 60, 2)}`,
  Z: (_local, minutes) => `${sign(minutes)}${pad(Math.abs(minutes), 3)}`,
  '%': () => '%',
};

const sign = (minutes: number): string => (minutes < 0 ? '-' : '+');

/** @throws 18536 for an unknown specifier, 18535 for one cut off at the end */
export function formatDate(date: Date, format: string, zone: Zone): string {
  const local = toLocal(date, zone);
  const minutes = Math.round(zone(date.getTime()) / 60_000);
  return format.replace(/%([\s\S]?)/g, (_text, specifier: string) => {
    if (specifier === '') throw new MongoError(18535, "Unmatched '%' at end of format string");
    const write = Object.hasOwn(specifiers, specifier) ? specifiers[specifier] : undefined;
    if (!write) throw new MongoError(18536, `Invalid format character '%${specifier}' in format string`);
    return write(local, minutes);
  });
}
