import { Decimal128, Double, Int32, Long } from 'bson';
import {
  calculateWidening,
  divideNumbers,
  fromInteger,
  numberTypeOf,
  remainderOf,
  toBigInt,
} from '../../bson/arithmetic';
import { type BsonNumber, integral, isSpecial, toDouble } from '../../bson/number';
import { typeNameOf } from '../../bson/type-code';
import { isNumber, Rank, rankOf, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { isNullish, positional, variadic } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';

const isDate = (value: Value): value is Date => rankOf(value) === Rank.Date;

function refuse(name: string, value: Value): MongoError {
  return new MongoError('TypeMismatch', `${name} only supports numeric types, not ${typeNameOf(value)}`);
}

const add = variadic((values) => {
  if (values.some(isNullish)) return null;
  const dates = values.filter(isDate);
  if (dates.length > 1) throw new MongoError(16612, 'only one date allowed in an $add expression');
  let sum: BsonNumber = new Int32(0);
  for (const value of values) {
    if (isDate(value)) continue;
    if (!isNumber(value)) {
      throw new MongoError('TypeMismatch', `$add only supports numeric or date types, not ${typeNameOf(value)}`);
    }
    sum = calculateWidening('add', sum, value);
  }
  const [date] = dates;
  return date ? new Date(date.getTime() + Math.round(toDouble(sum))) : sum;
});

const subtract = positional(2, 2, (a, b) => {
  if (isNullish(a) || isNullish(b)) return null;
  if (isDate(a) && isDate(b)) return Long.fromNumber(a.getTime() - b.getTime());
  if (isDate(a) && isNumber(b)) return new Date(a.getTime() - Math.round(toDouble(b)));
  if (isNumber(a) && isNumber(b)) return calculateWidening('subtract', a, b);
  throw new MongoError('TypeMismatch', `can't $subtract ${typeNameOf(b)} from ${typeNameOf(a)}`);
});

const multiply = variadic((values) => {
  if (values.some(isNullish)) return null;
  let product: BsonNumber = new Int32(1);
  for (const value of values) {
    if (!isNumber(value)) throw refuse('$multiply', value);
    product = calculateWidening('multiply', product, value);
  }
  return product;
});

const divide = positional(2, 2, (a, b) => {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumber(a) || !isNumber(b)) {
    throw new MongoError(
      'TypeMismatch',
      `$divide only supports numeric types, not ${typeNameOf(a)} and ${typeNameOf(b)}`,
    );
  }
  if (toDouble(b) === 0) throw new MongoError('BadValue', "can't $divide by zero");
  return divideNumbers(a, b);
});

const mod = positional(2, 2, (a, b) => {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumber(a) || !isNumber(b)) {
    throw new MongoError(16611, `$mod only supports numeric types, not ${typeNameOf(a)} and ${typeNameOf(b)}`);
  }
  const result = remainderOf(a, b);
  if (result === undefined) throw new MongoError(16610, "can't $mod by zero");
  return result;
});

/** A function of one number with a double result; decimals are computed as doubles and returned as decimals. */
const real = (
  name: string,
  compute: (value: number) => number,
  isAllowed: (value: number) => boolean = () => true,
): CompileOperator =>
  positional(1, 1, (value) => {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new MongoError(28765, `${name} only supports numeric types, not ${typeNameOf(value)}`);
    const argument = toDouble(value);
    if (!Number.isNaN(argument) && !isAllowed(argument)) {
      throw new MongoError(28714, `${name}'s argument is out of its domain, but is ${value}`);
    }
    const result = compute(argument);
    return numberTypeOf(value) === 'decimal' ? Decimal128.fromString(decimalText(result)) : new Double(result);
  });

function decimalText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'Infinity' : '-Infinity';
}

/** $abs, $ceil, $floor: integers keep their type. */
const whole = (
  name: string,
  onDouble: (value: number) => number,
  onInteger: (value: bigint) => bigint,
): CompileOperator =>
  positional(1, 1, (value) => {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new MongoError(28765, `${name} only supports numeric types, not ${typeNameOf(value)}`);
    const type = numberTypeOf(value);
    if (type === 'double') return new Double(onDouble(toDouble(value)));
    if (type === 'int' || type === 'long') {
      const result = fromInteger(onInteger(toBigInt(value)), type);
      if (!result) throw new MongoError(28680, `can't take ${name} of long long min`);
      return result;
    }
    if (isSpecial(value) || name === '$abs')
      return Decimal128.fromString(name === '$abs' ? String(value).replace(/^-/, '') : String(value));
    return Decimal128.fromString(roundDecimal(String(value), 0, name === '$ceil' ? 'up' : 'down'));
  });

type Rounding = 'even' | 'zero' | 'up' | 'down';

/** Rounds `digits * 10^exponent` to a power of ten. */
function roundScaled(digits: bigint, drop: bigint, rounding: Rounding): bigint {
  const unit = 10n ** drop;
  const quotient = digits / unit;
  const rest = digits % unit;
  if (rest === 0n || rounding === 'zero') return quotient;
  if (rounding === 'up') return digits > 0n ? quotient + 1n : quotient;
  if (rounding === 'down') return digits < 0n ? quotient - 1n : quotient;
  const double = (rest < 0n ? -rest : rest) * 2n;
  const away = double > unit || (double === unit && quotient % 2n !== 0n);
  return away ? quotient + (digits < 0n ? -1n : 1n) : quotient;
}

function roundDecimal(text: string, place: number, rounding: Rounding): string {
  const [mantissa = '0', power = '0'] = text.split(/e/i);
  const [integer = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(integer + fraction);
  const exponent = Number(power) - fraction.length;
  const drop = -place - exponent;
  if (drop <= 0) return text;
  return `${roundScaled(digits, BigInt(drop), rounding)}E${-place}`;
}

/** $round and $trunc, with the number of places; half rounds to even. */
const toPlace = (name: string, rounding: Rounding): CompileOperator =>
  positional(1, 2, (value, place = new Int32(0)) => {
    if (isNullish(value) || isNullish(place)) return null;
    if (!isNumber(value)) throw new MongoError(51081, `${name} only supports numeric types, not ${typeNameOf(value)}`);
    const places = isNumber(place) ? integral(place) : undefined;
    if (places === undefined) throw new MongoError(51082, `precision argument to ${name} must be a integral value`);
    if (places < -20n || places > 100n)
      throw new MongoError(51083, `cannot apply ${name} with precision value ${places} value must be in [-20, 100]`);
    if (isSpecial(value)) return value;
    return roundNumber(value, Number(places), rounding);
  });

function roundNumber(value: BsonNumber, place: number, rounding: Rounding): BsonNumber {
  const type = numberTypeOf(value);
  if (type === 'decimal') return Decimal128.fromString(roundDecimal(String(value), place, rounding));
  if (type === 'double') return new Double(Number(roundDecimal(String(toDouble(value)), place, rounding)));
  if (place >= 0) return value;
  const unit = 10n ** BigInt(-place);
  const result = roundScaled(toBigInt(value), BigInt(-place), rounding) * unit;
  return fromInteger(result, type) ?? new Double(Number(result));
}

const power = positional(2, 2, (base, exponent) => {
  if (isNullish(base) || isNullish(exponent)) return null;
  if (!isNumber(base)) throw new MongoError(28762, `$pow's base must be numeric, not ${typeNameOf(base)}`);
  if (!isNumber(exponent)) throw new MongoError(28763, `$pow's exponent must be numeric, not ${typeNameOf(exponent)}`);
  if (toDouble(base) === 0 && toDouble(exponent) < 0) {
    throw new MongoError(28764, '$pow cannot take a base of 0 and a negative exponent');
  }
  const types = [numberTypeOf(base), numberTypeOf(exponent)];
  if (types.includes('decimal')) return Decimal128.fromString(decimalText(toDouble(base) ** toDouble(exponent)));
  if (types.includes('double') || toDouble(exponent) < 0) return new Double(toDouble(base) ** toDouble(exponent));
  // Beyond 64 bits there is no integer result, however large the exponent is.
  const isHuge = Math.abs(toDouble(base)) > 1 && toDouble(exponent) > 64;
  const result = isHuge
    ? undefined
    : fromInteger(toBigInt(base) ** BigInt.asUintN(64, toBigInt(exponent)), types.includes('long') ? 'long' : 'int');
  return result ?? new Double(toDouble(base) ** toDouble(exponent));
});

const log = positional(2, 2, (value, base) => {
  if (isNullish(value) || isNullish(base)) return null;
  if (!isNumber(value)) throw new MongoError(28756, `$log's argument must be numeric, not ${typeNameOf(value)}`);
  if (!isNumber(base)) throw new MongoError(28757, `$log's base must be numeric, not ${typeNameOf(base)}`);
  if (toDouble(value) <= 0) throw new MongoError(28758, `$log's argument must be a positive number, but is ${value}`);
  if (toDouble(base) <= 0 || toDouble(base) === 1) {
    throw new MongoError(28759, `$log's base must be a positive number not equal to 1, but is ${base}`);
  }
  return new Double(Math.log(toDouble(value)) / Math.log(toDouble(base)));
});

const bitwise = (name: string, start: bigint, apply: (a: bigint, b: bigint) => bigint): CompileOperator =>
  variadic((values) => {
    if (values.some(isNullish)) return null;
    let type: 'int' | 'long' = 'int';
    let result = start;
    for (const value of values) {
      const own = isNumber(value) ? numberTypeOf(value) : undefined;
      if (own !== 'int' && own !== 'long') {
        throw new MongoError('TypeMismatch', `${name} only supports int and long operands.`);
      }
      if (own === 'long') type = 'long';
      result = apply(result, toBigInt(value as BsonNumber));
    }
    return fromInteger(result, type) ?? null;
  });

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
const same = (value: bigint): bigint => value;
const within = (least: number, most: number) => (value: number) => value >= least && value <= most;

export const arithmeticOperators: Record<string, CompileOperator> = {
  $add: add,
  $subtract: subtract,
  $multiply: multiply,
  $divide: divide,
  $mod: mod,
  $abs: whole('$abs', Math.abs, magnitude),
  $ceil: whole('$ceil', Math.ceil, same),
  $floor: whole('$floor', Math.floor, same),
  $round: toPlace('$round', 'even'),
  $trunc: toPlace('$trunc', 'zero'),
  $pow: power,
  $log: log,
  $sqrt: real('$sqrt', Math.sqrt, (value) => value >= 0),
  $exp: real('$exp', Math.exp),
  $ln: real('$ln', Math.log, (value) => value > 0),
  $log10: real('$log10', Math.log10, (value) => value > 0),
  $sin: real('$sin', Math.sin, Number.isFinite),
  $cos: real('$cos', Math.cos, Number.isFinite),
  $tan: real('$tan', Math.tan, Number.isFinite),
  $asin: real('$asin', Math.asin, within(-1, 1)),
  $acos: real('$acos', Math.acos, within(-1, 1)),
  $atan: real('$atan', Math.atan),
  $sinh: real('$sinh', Math.sinh),
  $cosh: real('$cosh', Math.cosh),
  $tanh: real('$tanh', Math.tanh),
  $asinh: real('$asinh', Math.asinh),
  $acosh: real('$acosh', Math.acosh, (value) => value >= 1),
  $atanh: real('$atanh', Math.atanh, within(-1, 1)),
  $degreesToRadians: real('$degreesToRadians', (value) => (value * Math.PI) / 180),
  $radiansToDegrees: real('$radiansToDegrees', (value) => (value * 180) / Math.PI),
  $bitAnd: bitwise('$bitAnd', -1n, (a, b) => a & b),
  $bitOr: bitwise('$bitOr', 0n, (a, b) => a | b),
  $bitXor: bitwise('$bitXor', 0n, (a, b) => a ^ b),
  $rand: () => () => new Double(Math.random()),
};
