import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonNumber, isSpecial, toDouble } from './number';

/** The number types in the order in which they swallow each other. */
export type NumberType = 'int' | 'long' | 'double' | 'decimal';

export function numberTypeOf(value: BsonNumber): NumberType {
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double';
  if (typeof value === 'bigint') return 'long';
  switch (value._bsontype) {
    case 'Int32':
      return 'int';
    case 'Long':
      return 'long';
    case 'Double':
      return 'double';
    default:
      return 'decimal';
  }
}

const isInt32 = (value: number): boolean => Number.isInteger(value) && value === (value | 0) && !Object.is(value, -0);

const widths: Record<NumberType, number> = { int: 0, long: 1, double: 2, decimal: 3 };

/** The type that an operation on two numbers results in, overflow aside. */
function widerType(a: BsonNumber, b: BsonNumber): NumberType {
  const left = numberTypeOf(a);
  const right = numberTypeOf(b);
  return widths[left] >= widths[right] ? left : right;
}

export type BinaryOperation = 'add' | 'subtract' | 'multiply';

/**
 * Adds, subtracts or multiplies like MongoDB: an int32 result that does not fit becomes a long.
 * @returns undefined if a long overflows: $inc and $mul refuse that, expressions continue with a double
 */
export function calculate(operation: BinaryOperation, a: BsonNumber, b: BsonNumber): BsonNumber | undefined {
  switch (widerType(a, b)) {
    case 'int': {
      const result = onDoubles[operation](toDouble(a), toDouble(b));
      if (Number.isSafeInteger(result)) return result === (result | 0) ? new Int32(result) : Long.fromNumber(result);
      return fromInteger(onIntegers[operation](toBigInt(a), toBigInt(b)), 'int');
    }
    case 'long':
      return fromInteger(onIntegers[operation](toBigInt(a), toBigInt(b)), 'long');
    case 'double':
      return new Double(onDoubles[operation](toDouble(a), toDouble(b)));
    default:
      return onDecimals(operation, a, b);
  }
}

/** Like `calculate`, but with a double where longs overflow, as expressions do. */
export function calculateWidening(operation: BinaryOperation, a: BsonNumber, b: BsonNumber): BsonNumber {
  return calculate(operation, a, b) ?? new Double(onDoubles[operation](toDouble(a), toDouble(b)));
}

const onIntegers: Record<BinaryOperation, (a: bigint, b: bigint) => bigint> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

const onDoubles: Record<BinaryOperation, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

/** An int or long of that value; undefined if it does not fit in 64 bits. */
export function fromInteger(value: bigint, least: 'int' | 'long'): Int32 | Long | undefined {
  if (least === 'int' && BigInt.asIntN(32, value) === value) return new Int32(Number(value));
  return BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : undefined;
}

/** The value of an int32, long or bigint. */
export function toBigInt(value: BsonNumber): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'object' && value._bsontype === 'Long') return value.toBigInt();
  return BigInt(Math.trunc(toDouble(value)));
}

/** A decimal as `digits * 10^exponent`, with trailing zeros: 1.10 has three digits. */
interface Scaled {
  digits: bigint;
  exponent: number;
}

function onDecimals(operation: BinaryOperation, a: BsonNumber, b: BsonNumber): Decimal128 {
  if (isSpecial(a) || isSpecial(b)) return decimalOfDouble(onDoubles[operation](toDouble(a), toDouble(b)));
  const left = toScaled(a);
  const right = toScaled(b);
  if (operation === 'multiply') {
    return fromScaled({ digits: left.digits * right.digits, exponent: left.exponent + right.exponent });
  }
  // Far below the last of 34 digits, an addend's exact size no longer matters.
  const exponent = Math.max(Math.min(left.exponent, right.exponent), Math.max(left.exponent, right.exponent) - 80);
  const sum = onIntegers[operation](align(left, exponent), align(right, exponent));
  return fromScaled({ digits: sum, exponent });
}

function align({ digits, exponent }: Scaled, to: number): bigint {
  if (exponent >= to) return digits * 10n ** BigInt(exponent - to);
  const shifted = digits / 10n ** BigInt(Math.min(to - exponent, 6200));
  return shifted === 0n && digits !== 0n ? (digits > 0n ? 1n : -1n) : shifted;
}

/** The quotient as in MongoDB: decimal if one of both is, else double. The divisor is not zero. */
export function divideNumbers(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (widerType(a, b) !== 'decimal') return new Double(toDouble(a) / toDouble(b));
  if (isSpecial(a) || isSpecial(b)) return decimalOfDouble(toDouble(a) / toDouble(b));
  const left = toScaled(a);
  const right = toScaled(b);
  const scale = 40 + Math.max(0, right.digits.toString().length - left.digits.toString().length);
  const digits = (left.digits * 10n ** BigInt(scale)) / right.digits;
  return fromScaled(
    shorten({ digits, exponent: left.exponent - right.exponent - scale }, left.exponent - right.exponent),
  );
}

/** Drops fractional zeros of a division by powers of ten. */
function shorten({ digits, exponent }: Scaled, to: number): Scaled {
  const text = digits.toString();
  let zeros = 0;
  while (exponent + zeros < to && text[text.length - 1 - zeros] === '0') zeros++;
  return zeros === 0 ? { digits, exponent } : { digits: BigInt(text.slice(0, -zeros)), exponent: exponent + zeros };
}

/** The remainder with the sign of the dividend; undefined when the divisor is zero. */
export function remainderOf(a: BsonNumber, b: BsonNumber): BsonNumber | undefined {
  if (toDouble(b) === 0) return undefined;
  switch (widerType(a, b)) {
    case 'int':
      return fromInteger(toBigInt(a) % toBigInt(b), 'int');
    case 'long':
      return fromInteger(toBigInt(a) % toBigInt(b), 'long');
    case 'double':
      return new Double(toDouble(a) % toDouble(b));
    default: {
      if (isSpecial(a) || isSpecial(b)) return decimalOfDouble(toDouble(a) % toDouble(b));
      const [left, right] = [toScaled(a), toScaled(b)];
      const exponent = Math.min(left.exponent, right.exponent);
      return fromScaled({ digits: align(left, exponent) % align(right, exponent), exponent });
    }
  }
}

/** A number as Decimal128: integers exactly, doubles with 15 digits like MongoDB. */
export function toDecimal(value: BsonNumber): Decimal128 {
  if (numberTypeOf(value) === 'decimal') return value as Decimal128;
  if (numberTypeOf(value) === 'double') return decimalOfDouble(toDouble(value));
  return Decimal128.fromString(value.toString());
}

function decimalOfDouble(value: number): Decimal128 {
  if (Number.isFinite(value)) return Decimal128.fromString(value.toPrecision(15));
  return Decimal128.fromString(Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');
}

function toScaled(value: BsonNumber): Scaled {
  const [mantissa = '0', power = '0'] = toDecimal(value).toString().split('E');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

const decimalDigits = 34;

function fromScaled({ digits, exponent }: Scaled): Decimal128 {
  const magnitude = digits < 0n ? -digits : digits;
  const excess = magnitude.toString().length - decimalDigits;
  const sign = digits < 0n ? '-' : '';
  if (excess <= 0) return Decimal128.fromString(`${sign}${magnitude}E${exponent}`);
  return fromScaled({
    digits: digits < 0n ? -roundedHalfEven(magnitude, excess) : roundedHalfEven(magnitude, excess),
    exponent: exponent + excess,
  });
}

function roundedHalfEven(magnitude: bigint, drop: number): bigint {
  const unit = 10n ** BigInt(drop);
  const kept = magnitude / unit;
  const rest = (magnitude % unit) * 2n;
  return rest > unit || (rest === unit && kept % 2n === 1n) ? kept + 1n : kept;
}
