import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { compareValues } from './compare';
import { type Direction, encodeKey, keyRange, keyString } from './index-key';
import { splitKey } from './key-fields';
import type { Value } from './value';

const number = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.constantFrom(0, -0, 2 ** 53, 2 ** 63, 1e300, 5e-324, Number.NaN, Number.MAX_VALUE).map((v) => new Double(v)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map((value) => Long.fromBigInt(value)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 33n), max: 10n ** 33n }), fc.integer({ min: -6000, max: 6000 }))
    .map(([digits, exponent]) => Decimal128.fromString(`${digits}E${exponent}`)),
  fc
    .constantFrom('NaN', 'Infinity', '-Infinity', '0', '-0', '0.1', '9007199254740993', '1E-400', '1E400', '-1E400')
    .map((text) => Decimal128.fromString(text)),
);

const leaf: fc.Arbitrary<Value> = fc.oneof(
  number,
  fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc.constantFrom('', 'a', 'a\0', 'a\0b', 'a\x01', 'a\x01b', 'ab', '\uffff', '\u{1f600}'),
  fc.constantFrom<Value>(null, undefined, true, false, new MinKey(), new MaxKey()),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0, 4, 128)).map(([bytes, type]) => new Binary(bytes, type)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Timestamp(value)),
  fc.constantFrom(new BSONRegExp('a', 'i'), new BSONRegExp('a', ''), new BSONRegExp('b', '')),
);

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Value>,
  ),
}));

const direction = fc.constantFrom<Direction>(1, -1);

describe('encodeKey', () => {
  it('orders numbers of all types as compareValues does', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(order([a], [b], [1]) + 0).toBe(Math.sign(compareValues(a, b)) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('orders values of all types as compareValues does, in either direction', () => {
    fc.assert(
      fc.property(value, value, direction, (a, b, towards) => {
        expect(order([a], [b], [towards]) + 0).toBe(Math.sign(compareValues(a, b)) * towards + 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('orders compound keys field by field', () => {
    fc.assert(
      fc.property(fc.tuple(leaf, leaf), fc.tuple(leaf, leaf), fc.tuple(direction, direction), (a, b, towards) => {
        const expected = compareValues(a[0], b[0]) * towards[0] || compareValues(a[1], b[1]) * towards[1];
        expect(order(a, b, towards) + 0).toBe(Math.sign(expected) + 0);
      }),
      { numRuns: 1500 },
    );
  });

  it('distinguishes adjacent longs and decimals beyond 2^53', () => {
    const keys = ['9007199254740992', '9007199254740993', '9007199254740994'].map((text) =>
      keyString(Long.fromString(text)),
    );
    expect(new Set(keys).size).toBe(3);
    expect(keyString(Decimal128.fromString('9007199254740993'))).toBe(keys[1]);
    expect(keyString(new Double(5))).toBe(keyString(Long.fromNumber(5)));
  });

  it('truncates long keys to the limit and keeps them different', () => {
    const long = 'x'.repeat(5000);
    const [a, b] = [`${long}a`, `${long}b`].map((text) => encodeKey([text], [1], { maxBytes: 100 }));
    expect(a).toMatchObject({ truncated: true });
    expect(a?.bytes).toHaveLength(100);
    expect(a?.bytes.equals(b?.bytes as Buffer)).toBe(false);
    expect(encodeKey(['x'], [1])).toMatchObject({ truncated: false });
  });
});

describe('keyRange', () => {
  const rangeArbitrary = fc.record({ value: leaf, inclusive: fc.boolean() });

  it('contains exactly the values of the type between its bounds', () => {
    fc.assert(
      fc.property(leaf, rangeArbitrary, fc.constantFrom('lower', 'upper'), direction, (tried, side, which, towards) => {
        const { start, end } = keyRange([1], { [which]: side }, [1, towards]);
        const { bytes } = encodeKey([1, tried], [1, towards]);
        const inside = start.compare(bytes) <= 0 && bytes.compare(end) < 0;
        const compared = compareValues(tried, side.value) * (which === 'lower' ? 1 : -1);
        const satisfied = (compared > 0 || (side.inclusive && compared === 0)) && sameBracket(tried, side.value);
        expect(inside).toBe(satisfied);
      }),
      { numRuns: 2000 },
    );
  });

  it('contains every key with its prefix when unbounded, also truncated ones', () => {
    const long = 'y'.repeat(3000);
    const { start, end } = keyRange([long], undefined, [1, -1]);
    const { bytes } = encodeKey([long, 7], [1, -1]);
    expect(start.compare(bytes)).toBeLessThanOrEqual(0);
    expect(bytes.compare(end)).toBeLessThan(0);
  });
});

function order(a: Value[], b: Value[], directions: Direction[]): number {
  return Buffer.compare(encodeKey(a, directions).bytes, encodeKey(b, directions).bytes);
}

/** In another way than the tested code: by the names of the classes. */
function sameBracket(a: Value, b: Value): boolean {
  if (b instanceof MinKey || b instanceof MaxKey) return true;
  return bracket(a) === bracket(b);
}

function bracket(value: Value): string {
  if (value === null || value === undefined) return 'null';
  const name = typeof value === 'object' ? value.constructor.name : typeof value;
  return ['Int32', 'Double', 'Long', 'Decimal128'].includes(name) ? 'number' : name;
}

describe('splitKey', () => {
  it('finds where each field of a key begins and ends', () => {
    const fields = fc.array(fc.tuple(value, direction), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fields, (given) => {
        const directions = given.map(([, towards]) => towards);
        const { bytes, truncated } = encodeKey(
          given.map(([each]) => each),
          directions,
        );
        fc.pre(!truncated);
        const ends: number[] = [];
        splitKey(bytes, 0, directions, ends);
        const sizes = given.map(([each, towards]) => encodeKey([each], [towards]).bytes.length);
        expect(ends.slice(1).map((end, field) => end - ends[field]!)).toEqual(sizes);
      }),
      { numRuns: 2000 },
    );
  });
});
