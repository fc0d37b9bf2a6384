import { Int32, Long, type ObjectId, type Timestamp } from 'bson';
import { documentOf, fieldNames, hasField } from '../../bson/document';
import { integral } from '../../bson/number';
import { typeNameOf } from '../../bson/type-code';
import { isDocument, isNumber, Rank, rankOf, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import * as calendar from '../dates/calendar';
import { formatDate } from '../dates/format-date';
import { parseDate } from '../dates/parse-date';
import { fromLocal, toLocal, type Zone, zoneNamed } from '../dates/time-zone';
import { compileNamed, isNullish, named } from '../terms/arguments';
import type { CompileOperator, Evaluate } from '../terms/operator';

function dateOf(value: Value): Date {
  switch (rankOf(value)) {
    case Rank.Date:
      return value as Date;
    case Rank.ObjectId:
      return (value as ObjectId).getTimestamp();
    case Rank.Timestamp:
      return new Date((value as Timestamp).t * 1000);
    default:
      throw new MongoError(16006, `can't convert from BSON type ${typeNameOf(value)} to Date`);
  }
}

function zoneOf(value: Value): Zone {
  if (value === undefined) return zoneNamed('UTC');
  if (typeof value === 'string') return zoneNamed(value);
  throw new MongoError(40517, `timezone must evaluate to a string, found ${typeNameOf(value)}`);
}

function integerOf(value: Value, what: string): number {
  const whole = isNumber(value) ? integral(value) : undefined;
  if (whole === undefined) throw new MongoError(5166405, `${what} must be an integer, found ${typeNameOf(value)}`);
  return Number(whole);
}

function unitOf(value: Value): calendar.Unit {
  if (typeof value === 'string' && calendar.isUnit(value)) return value;
  throw new MongoError('FailedToParse', `unknown time unit value: ${String(value)}`);
}

/** A part of a date, given alone or as `{date, timezone}`. */
const part = (read: (local: Date) => number, isLong = false): CompileOperator => {
  return (operand, context, name) => {
    const isNamed = isDocument(operand) && hasField(operand, 'date');
    const parts = isNamed ? compileNamed(operand, ['date'], ['timezone'], context, name) : undefined;
    const date =
      parts?.get('date') ?? context.compile(Array.isArray(operand) && operand.length === 1 ? operand[0] : operand);
    const zone: Evaluate = parts?.get('timezone') ?? (() => undefined);
    return (root, scope) => {
      const value = date(root, scope);
      const timezone = zone(root, scope);
      if (isNullish(value) || timezone === null) return null;
      const result = read(toLocal(dateOf(value), zoneOf(timezone)));
      return isLong ? Long.fromNumber(result) : new Int32(result);
    };
  };
};

const dateToString = named(['date'], ['format', 'timezone', 'onNull'], ({ date, format, timezone, onNull }) => {
  if (isNullish(date)) return onNull ?? null;
  if (format === null || timezone === null) return null;
  const value = dateOf(date);
  const zone = zoneOf(timezone);
  const isUtc = timezone === undefined || zone(value.getTime()) === 0;
  const text = format === undefined ? `%Y-%m-%dT%H:%M:%S.%L${isUtc ? 'Z' : ''}` : format;
  if (typeof text !== 'string') throw new MongoError(18533, "$dateToString requires that 'format' be a string");
  return formatDate(value, text, zone);
});

/** Dates that cannot be read go to `onError`, missing ones to `onNull`. */
const dateFromString: CompileOperator = (operand, context, name) => {
  const parts = compileNamed(operand, ['dateString'], ['format', 'timezone', 'onError', 'onNull'], context, name);
  return (root, scope) => {
    const value = (key: string): Value => parts.get(key)?.(root, scope);
    const [text, format, timezone] = [value('dateString'), value('format'), value('timezone')];
    if (isNullish(text)) return value('onNull') ?? null;
    if (format === null || timezone === null) return null;
    try {
      if (typeof text !== 'string')
        throw new MongoError(
          'ConversionFailure',
          `$dateFromString requires that 'dateString' be a string, found: ${typeNameOf(text)}`,
        );
      return parseDate(
        text,
        format === undefined ? undefined : String(format),
        zoneOf(timezone),
        timezone !== undefined,
      );
    } catch (error) {
      if (parts.has('onError') && error instanceof MongoError && error.code === 241) return value('onError');
      throw error;
    }
  };
};

const fromParts = named(
  [],
  [
    'year',
    'month',
    'day',
    'isoWeekYear',
    'isoWeek',
    'isoDayOfWeek',
    'hour',
    'minute',
    'second',
    'millisecond',
    'timezone',
  ],
  (values) => {
    if (fieldNames(values).some((name) => isNullish(values[name]))) return null;
    const at = (name: string, otherwise: number): number =>
      values[name] === undefined ? otherwise : integerOf(values[name], name);
    const time = [at('hour', 0), at('minute', 0), at('second', 0), at('millisecond', 0)] as const;
    if (values.isoWeekYear === undefined && values.year === undefined) {
      throw new MongoError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    }
    const day =
      values.isoWeekYear === undefined
        ? calendar.utc(at('year', 1970), at('month', 1), at('day', 1))
        : calendar.isoDate(at('isoWeekYear', 1970), at('isoWeek', 1), at('isoDayOfWeek', 1));
    const local = new Date(day + ((time[0] * 60 + time[1]) * 60 + time[2]) * 1000 + time[3]);
    return fromLocal(local, zoneOf(values.timezone));
  },
);

const toParts = named(['date'], ['timezone', 'iso8601'], ({ date, timezone, iso8601 }) => {
  if (isNullish(date) || timezone === null || iso8601 === null) return null;
  const local = toLocal(dateOf(date), zoneOf(timezone));
  const day: [string, number][] =
    iso8601 === true
      ? [
          ['isoWeekYear', calendar.isoWeekYear(local)],
          ['isoWeek', calendar.isoWeek(local)],
          ['isoDayOfWeek', calendar.isoDayOfWeek(local)],
        ]
      : [
          ['year', local.getUTCFullYear()],
          ['month', local.getUTCMonth() + 1],
          ['day', local.getUTCDate()],
        ];
  const time: [string, number][] = [
    ['hour', local.getUTCHours()],
    ['minute', local.getUTCMinutes()],
    ['second', local.getUTCSeconds()],
    ['millisecond', local.getUTCMilliseconds()],
  ];
  return documentOf([...day, ...time].map(([name, value]) => [name, new Int32(value)]));
});

const shift = (sign: 1 | -1): CompileOperator =>
  named(['startDate', 'unit', 'amount'], ['timezone'], ({ startDate, unit, amount, timezone }) => {
    if (isNullish(startDate) || isNullish(unit) || isNullish(amount) || timezone === null) return null;
    const date = dateOf(startDate);
    const count = integerOf(amount, 'amount') * sign;
    const by = unitOf(unit);
    // Hours and less are spans of time; days and more go by the zone's calendar.
    if (calendar.isSpan(by)) return new Date(calendar.shift(date, by, count));
    const zone = zoneOf(timezone);
    return fromLocal(new Date(calendar.shift(toLocal(date, zone), by, count)), zone);
  });

const diff = named(['startDate', 'endDate', 'unit'], ['timezone', 'startOfWeek'], (values) => {
  const { startDate, endDate, unit, timezone, startOfWeek } = values;
  if (isNullish(startDate) || isNullish(endDate) || isNullish(unit) || timezone === null) return null;
  const zone = zoneOf(timezone);
  const by = unitOf(unit);
  const week = calendar.weekdayNamed(startOfWeek, 'sunday');
  return Long.fromNumber(
    calendar.indexOf(toLocal(dateOf(endDate), zone), by, week) -
      calendar.indexOf(toLocal(dateOf(startDate), zone), by, week),
  );
});

const truncate = named(['date', 'unit'], ['binSize', 'timezone', 'startOfWeek'], (values) => {
  const { date, unit, binSize = 1, timezone, startOfWeek } = values;
  if (isNullish(date) || isNullish(unit) || binSize === null || timezone === null) return null;
  const zone = zoneOf(timezone);
  const size = integerOf(binSize, 'binSize');
  if (size < 1)
    throw new MongoError(5439018, `$dateTrunc requires 'binSize' to be greater than 0, but got value ${size}`);
  const week = calendar.weekdayNamed(startOfWeek, 'sunday');
  return fromLocal(new Date(calendar.truncate(toLocal(dateOf(date), zone), unitOf(unit), size, week)), zone);
});

export const dateOperators: Record<string, CompileOperator> = {
  $year: part((local) => local.getUTCFullYear()),
  $month: part((local) => local.getUTCMonth() + 1),
  $dayOfMonth: part((local) => local.getUTCDate()),
  $hour: part((local) => local.getUTCHours()),
  $minute: part((local) => local.getUTCMinutes()),
  $second: part((local) => local.getUTCSeconds()),
  $millisecond: part((local) => local.getUTCMilliseconds()),
  $dayOfYear: part(calendar.dayOfYear),
  $dayOfWeek: part((local) => local.getUTCDay() + 1),
  $week: part(calendar.week),
  $isoDayOfWeek: part(calendar.isoDayOfWeek),
  $isoWeek: part(calendar.isoWeek),
  $isoWeekYear: part(calendar.isoWeekYear, true),
  $dateToString: dateToString,
  $dateFromString: dateFromString,
  $dateFromParts: fromParts,
  $dateToParts: toParts,
  $dateAdd: shift(1),
  $dateSubtract: shift(-1),
  $dateDiff: diff,
  $dateTrunc: truncate,
};
