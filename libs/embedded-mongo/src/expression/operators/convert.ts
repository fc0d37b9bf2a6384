import { type Binary, Decimal128, Double, Int32, Long, ObjectId, type Timestamp } from 'bson';
import { fromInteger, toDecimal } from '../../bson/arithmetic';
import { binaryBytes } from '../../bson/compare';
import { fieldNames } from '../../bson/document';
import { type BsonNumber, isSpecial, toDouble, truncated } from '../../bson/number';
import { isTruthy } from '../../bson/truth';
import { typeCodeOf, typeCodes, typeNameOf } from '../../bson/type-code';
import { isNumber, Rank, rankOf, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { isNullish, namedOperand, positional } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';

type Conversion = (value: Value) => Value;

function impossible(value: Value, target: string): MongoError {
  return new MongoError(
    'ConversionFailure',
    `Unsupported conversion from ${typeNameOf(value)} to ${target} in $convert with no onError value`,
  );
}

function unreadable(value: Value, target: string): MongoError {
  return new MongoError(
    'ConversionFailure',
    `Failed to parse ${target} '${String(value)}' in $convert with no onError value`,
  );
}

/** The text of a value, as $toString has it. */
export function textOfValue(value: Value): string {
  switch (rankOf(value)) {
    case Rank.String:
      return String(value);
    case Rank.Number:
      return String(value);
    case Rank.Boolean:
      return value ? 'true' : 'false';
    case Rank.ObjectId:
      return (value as ObjectId).toHexString();
    case Rank.Date:
      return (value as Date).toISOString();
    default:
      throw impossible(value, 'string');
  }
}

const toInteger =
  (type: 'int' | 'long'): Conversion =>
  (value) => {
    if (typeof value === 'boolean') return type === 'int' ? new Int32(Number(value)) : Long.fromNumber(Number(value));
    if (type === 'long' && rankOf(value) === Rank.Date) return Long.fromNumber((value as Date).getTime());
    const whole = wholeNumber(value, type);
    const result = fromInteger(whole, type);
    if (result && (type === 'long' || result instanceof Int32)) return result;
    throw new MongoError(
      'ConversionFailure',
      `Conversion would overflow target type in $convert with no onError value: ${String(value)}`,
    );
  };

function wholeNumber(value: Value, target: string): bigint {
  if (typeof value === 'string') {
    if (!/^[+-]?\d+$/.test(value)) throw unreadable(value, 'number');
    return BigInt(value.replace('+', ''));
  }
  if (!isNumber(value)) throw impossible(value, target);
  const whole = truncated(value);
  if (whole !== undefined) return whole;
  throw new MongoError(
    'ConversionFailure',
    `Attempt to convert ${isSpecial(value) ? 'infinity or NaN' : 'a too large'} value to integer type in $convert with no onError value`,
  );
}

const numeric = /^[+-]?(\d+(\.\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)$/i;

const toDoubleValue: Conversion = (value) => {
  if (typeof value === 'boolean') return new Double(Number(value));
  if (rankOf(value) === Rank.Date) return new Double((value as Date).getTime());
  if (typeof value === 'string') {
    if (!numeric.test(value)) throw unreadable(value, 'number');
    return new Double(Number(value.replace(/inf(inity)?/i, 'Infinity')));
  }
  if (!isNumber(value)) throw impossible(value, 'double');
  return new Double(toDouble(value));
};

const toDecimalValue: Conversion = (value) => {
  if (typeof value === 'boolean') return Decimal128.fromString(String(Number(value)));
  if (rankOf(value) === Rank.Date) return Decimal128.fromString(String((value as Date).getTime()));
  if (typeof value === 'string') {
    if (!numeric.test(value)) throw unreadable(value, 'number');
    return Decimal128.fromStringWithRounding(value);
  }
  if (!isNumber(value)) throw impossible(value, 'decimal');
  return toDecimal(value);
};

const toDate: Conversion = (value) => {
  switch (rankOf(value)) {
    case Rank.Date:
      return value;
    case Rank.ObjectId:
      return (value as ObjectId).getTimestamp();
    case Rank.Timestamp:
      return new Date((value as Timestamp).t * 1000);
    case Rank.String: {
      const text = String(value);
      const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text);
      // Without a zone UTC is used, where JavaScript would use the machine's zone.
      const date = new Date(/\d{4}-\d{2}-\d{2}[T ]/.test(text) && !hasZone ? `${text}Z` : text);
      if (Number.isNaN(date.getTime())) throw unreadable(value, 'date');
      return date;
    }
    case Rank.Number: {
      if (value instanceof Int32) throw impossible(value, 'date');
      return new Date(toDouble(value as BsonNumber));
    }
    default:
      throw impossible(value, 'date');
  }
};

const toObjectId: Conversion = (value) => {
  if (rankOf(value) === Rank.ObjectId) return value;
  if (typeof value !== 'string') throw impossible(value, 'objectId');
  if (!/^[0-9a-f]{24}$/i.test(value)) throw unreadable(value, 'objectId');
  return ObjectId.createFromHexString(value);
};

const conversions: Record<string, Conversion> = {
  double: toDoubleValue,
  string: textOfValue,
  objectId: toObjectId,
  bool: (value) => (isNumber(value) ? isTruthy(value) : value !== false),
  date: toDate,
  int: toInteger('int'),
  long: toInteger('long'),
  decimal: toDecimalValue,
};

function conversionTo(target: Value): Conversion {
  const name = isNumber(target)
    ? Object.keys(typeCodes).find((key) => typeCodes[key] === toDouble(target))
    : typeof target === 'string'
      ? target
      : undefined;
  if (name !== undefined && Object.hasOwn(conversions, name)) return conversions[name] as Conversion;
  throw new MongoError('BadValue', `Unknown or unsupported target type in $convert: ${String(target)}`);
}

const convert: CompileOperator = (operand, context, name) => {
  const spec = namedOperand(operand, ['input', 'to'], ['onError', 'onNull'], name);
  const [input, to, onError, onNull] = ['input', 'to', 'onError', 'onNull'].map((key) => context.compile(spec[key]));
  const catches = fieldNames(spec).includes('onError');
  return (root, scope) => {
    const value = input?.(root, scope);
    if (isNullish(value)) return onNull?.(root, scope) ?? null;
    const target = to?.(root, scope);
    if (isNullish(target)) return null;
    const conversion = conversionTo(target);
    try {
      return conversion(value);
    } catch (error) {
      if (catches && error instanceof MongoError) return onError?.(root, scope);
      throw error;
    }
  };
};

const to = (name: string): CompileOperator =>
  positional(1, 1, (value) => (isNullish(value) ? null : (conversions[name] as Conversion)(value)));

export const convertOperators: Record<string, CompileOperator> = {
  $convert: convert,
  $toString: to('string'),
  $toInt: to('int'),
  $toLong: to('long'),
  $toDouble: to('double'),
  $toDecimal: to('decimal'),
  $toBool: to('bool'),
  $toDate: to('date'),
  $toObjectId: to('objectId'),
  $type: positional(1, 1, (value) => typeNameOf(value)),
  $isNumber: positional(1, 1, (value) => isNumber(value)),
  $binarySize: positional(1, 1, (value) => {
    if (isNullish(value)) return null;
    if (typeof value === 'string') return new Int32(Buffer.byteLength(value));
    if (typeCodeOf(value) === 5) return new Int32(binaryBytes(value as Binary).length);
    throw new MongoError(51276, `$binarySize requires a string or BinData argument, found: ${typeNameOf(value)}`);
  }),
  $tsSecond: positional(1, 1, (value) => (isNullish(value) ? null : Long.fromNumber((value as Timestamp).t))),
  $tsIncrement: positional(1, 1, (value) => (isNullish(value) ? null : Long.fromNumber((value as Timestamp).i))),
};
