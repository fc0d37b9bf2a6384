import { type Decimal128, type Double, type Int32, Long } from 'bson';

export type BsonNumber = number | bigint | Int32 | Double | Long | Decimal128;

/** A finite number as `sign * digits * 10^exponent`, digits without trailing zeros. */
export interface ExactDecimal {
  digits: bigint;
  exponent: number;
}

/** The nearest double; exact for int32 and doubles. */
export function toDouble(value: BsonNumber): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return value.value;
    case 'Long':
      return value.toNumber();
    default:
      return Number(value.toString());
  }
}

export function toLong(value: Long | bigint): Long {
  return typeof value === 'bigint' ? Long.fromBigInt(value) : value;
}

const kind = (value: BsonNumber): 'double' | 'long' | 'decimal' => {
  if (typeof value === 'number') return 'double';
  if (typeof value === 'bigint') return 'long';
  if (value._bsontype === 'Long') return 'long';
  return value._bsontype === 'Decimal128' ? 'decimal' : 'double';
};

/** Compares numbers of any two BSON types by their exact values; NaN is equal to itself and below all others. */
export function compareNumbers(a: BsonNumber, b: BsonNumber): number {
  const left = kind(a);
  const right = kind(b);
  if (left === 'double' && right === 'double') return compareDoubles(toDouble(a), toDouble(b));
  if (left === 'decimal' || right === 'decimal') return compareDecimals(a, b);
  if (left === 'long' && right === 'long') return toLong(a as Long).compare(toLong(b as Long));
  if (left === 'long') return compareLongToDouble(toLong(a as Long), toDouble(b));
  return -compareLongToDouble(toLong(b as Long), toDouble(a));
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return 1;
}

function compareLongToDouble(long: Long, double: number): number {
  if (Number.isNaN(double)) return 1;
  if (double >= 2 ** 63) return -1;
  if (double < -(2 ** 63)) return 1;
  const whole = Math.trunc(double);
  return long.compare(Long.fromNumber(whole)) || compareDoubles(whole, double);
}

function compareDecimals(a: BsonNumber, b: BsonNumber): number {
  if (isSpecial(a) || isSpecial(b)) return compareDoubles(clamped(a), clamped(b));
  // Rounding to double is monotonic, so only numbers that round to the same double need exact arithmetic.
  return compareDoubles(toDouble(a), toDouble(b)) || compareExact(toExact(a), toExact(b));
}

/** Whether it is NaN or infinite itself, not merely too large for a double. */
export function isSpecial(value: BsonNumber): boolean {
  if (Number.isFinite(toDouble(value))) return false;
  return kind(value) !== 'decimal' || /NaN|Inf/i.test(value.toString());
}

/** Its double, except that finite decimals beyond the range of doubles stay below infinity. */
function clamped(value: BsonNumber): number {
  const double = toDouble(value);
  return Number.isFinite(double) || isSpecial(value) ? double : Math.sign(double) * Number.MAX_VALUE;
}

function compareExact(a: ExactDecimal, b: ExactDecimal): number {
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.digits * 10n ** BigInt(a.exponent - exponent);
  const right = b.digits * 10n ** BigInt(b.exponent - exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The exact value of a finite number. Every double has one, with up to 767 digits. */
export function toExact(value: BsonNumber): ExactDecimal {
  if (kind(value) === 'double') return exactDouble(toDouble(value));
  const text = value.toString();
  const [mantissa = '0', power = '0'] = text.split(/e/i);
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return normalize(BigInt(whole + fraction), Number(power) - fraction.length);
}

const view = new DataView(new ArrayBuffer(8));

function exactDouble(double: number): ExactDecimal {
  if (Number.isSafeInteger(double)) return normalize(BigInt(double), 0);
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  const power = (biased === 0 ? 1 : biased) - 1075;
  const signed = double < 0 ? -mantissa : mantissa;
  // 2^-n is 5^n * 10^-n.
  return power >= 0 ? normalize(signed << BigInt(power), 0) : normalize(signed * 5n ** BigInt(-power), power);
}

function normalize(digits: bigint, exponent: number): ExactDecimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = digits.toString();
  let zeros = 0;
  while (text.charCodeAt(text.length - 1 - zeros) === 48) zeros++;
  return zeros === 0 ? { digits, exponent } : { digits: BigInt(text.slice(0, -zeros)), exponent: exponent + zeros };
}

/** The number rounded towards zero as an int64; undefined for NaN and values that do not fit. */
export function truncated(value: BsonNumber): bigint | undefined {
  const double = toDouble(value);
  if (!Number.isFinite(double)) return undefined;
  const { digits, exponent } = toExact(value);
  if (exponent > 40) return undefined;
  const whole = exponent >= 0 ? digits * 10n ** BigInt(exponent) : digits / 10n ** BigInt(-exponent);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** Like `truncated`, and also undefined for fractions. */
export function integral(value: BsonNumber): bigint | undefined {
  const whole = truncated(value);
  return whole !== undefined && compareNumbers(whole, value) === 0 ? whole : undefined;
}
