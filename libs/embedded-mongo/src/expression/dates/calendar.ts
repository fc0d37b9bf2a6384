import type { Value } from '../../bson/value';
import { MongoError } from '../../errors';

/**
 * Calendar arithmetic on dates whose UTC parts are the local time of a zone. Weeks count as in MongoDB and ISO 8601.
 */

const spans = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 } as const;
const days = { day: 1, week: 7 } as const;
const months = { month: 1, quarter: 3, year: 12 } as const;

type Span = keyof typeof spans;
type Days = keyof typeof days;
type Months = keyof typeof months;
export type Unit = Span | Days | Months;

const dayMilliseconds = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const isSpan = (unit: string): unit is Span => Object.hasOwn(spans, unit);
const isDays = (unit: string): unit is Days => Object.hasOwn(days, unit);
const isMonths = (unit: string): unit is Months => Object.hasOwn(months, unit);
export const isUnit = (unit: string): unit is Unit => isSpan(unit) || isDays(unit) || isMonths(unit);

/** The number of a weekday, 0 for Sunday. */
export function weekdayNamed(value: Value, otherwise: string): number {
  const name = String(value ?? otherwise).toLowerCase();
  const index = weekdays.findIndex((weekday) => weekday === name || weekday.slice(0, 3) === name);
  if (index < 0) throw new MongoError('FailedToParse', `unknown day of week value: ${name}`);
  return index;
}

/** Midnight of a day; months and days beyond their range overflow into the next. Years below 100 are not changed. */
export function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

const dayNumber = (date: Date): number => Math.floor(date.getTime() / dayMilliseconds);

export const isoDayOfWeek = (date: Date): number => date.getUTCDay() || 7;

export function dayOfYear(date: Date): number {
  return dayNumber(date) - utc(date.getUTCFullYear(), 1, 1) / dayMilliseconds + 1;
}

/** Weeks begin on Sunday; days before the year's first Sunday are in week 0. */
export function week(date: Date): number {
  return Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7);
}

/** The week belongs to the year that its Thursday is in. */
export function isoWeekYear(date: Date): number {
  return thursday(date).getUTCFullYear();
}

export function isoWeek(date: Date): number {
  return Math.floor((dayOfYear(thursday(date)) - 1) / 7) + 1;
}

const thursday = (date: Date): Date => new Date(date.getTime() + (4 - isoDayOfWeek(date)) * dayMilliseconds);

export function isoDate(year: number, isoWeekOfYear: number, day: number): number {
  const january4 = new Date(utc(year, 1, 4));
  const monday = january4.getTime() - (isoDayOfWeek(january4) - 1) * dayMilliseconds;
  return monday + ((isoWeekOfYear - 1) * 7 + day - 1) * dayMilliseconds;
}

/** Moves by a number of units. A day that its new month has not becomes the month's last. */
export function shift(date: Date, unit: Unit, count: number): number {
  if (isSpan(unit)) return date.getTime() + count * spans[unit];
  if (isDays(unit)) return date.getTime() + count * days[unit] * dayMilliseconds;
  const month = monthNumber(date) + count * months[unit];
  const lastDay = new Date(utc(1970, month + 2, 0)).getUTCDate();
  const time = date.getTime() - dayNumber(date) * dayMilliseconds;
  return utc(1970, month + 1, Math.min(date.getUTCDate(), lastDay)) + time;
}

/** Months since January 1970. */
const monthNumber = (date: Date): number => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();

/** The number of the unit that a date is in, counted from some beginning. */
export function indexOf(date: Date, unit: Unit, startOfWeek: number): number {
  if (isSpan(unit)) return Math.floor(date.getTime() / spans[unit]);
  if (unit === 'day') return dayNumber(date);
  // 1970 began on a Thursday.
  if (unit === 'week') return Math.floor((dayNumber(date) + 4 - startOfWeek) / 7);
  return Math.floor(monthNumber(date) / months[unit as Months]);
}

/** The beginning of the bin of `size` units that a date is in, bins being counted from the year 2000. */
export function truncate(date: Date, unit: Unit, size: number, startOfWeek: number): number {
  const reference = new Date(utc(2000, 1, 1));
  if (isMonths(unit)) {
    const width = size * months[unit];
    const bins = Math.floor((monthNumber(date) - monthNumber(reference)) / width);
    return utc(2000, bins * width + 1, 1);
  }
  const firstDay = unit === 'week' ? (startOfWeek - reference.getUTCDay() + 7) % 7 : 0;
  const origin = reference.getTime() + firstDay * dayMilliseconds;
  const width = size * (isSpan(unit) ? spans[unit] : days[unit] * dayMilliseconds);
  return origin + Math.floor((date.getTime() - origin) / width) * width;
}
